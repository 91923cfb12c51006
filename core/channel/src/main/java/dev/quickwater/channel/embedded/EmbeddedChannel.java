package dev.quickwater.channel.embedded;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.VirtualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A channel whose peer, kernel, thread and clock are the test.
///
/// The thread that makes it is its loop: everything happens inside the calls. Time stands still but
/// for [#advance]. [#close] ends the loop, and with it everything that the channel holds.
///
/// - **Any message** comes in by [#deliver] and goes out; bytes are collected apart from others.
/// - **A failure that no handler takes** is thrown by the next call here that runs tasks.
public final class EmbeddedChannel implements AutoCloseable {

  private final VirtualClock clock = new VirtualClock();
  private final EmbeddedIo io = new EmbeddedIo();
  private final EmbeddedPoller poller = new EmbeddedPoller();
  private final EventLoop loop = EventLoop.stepped(poller, clock);
  private final Channel channel;
  private boolean ended;
  private boolean keepsUnhandled;

  /// An open channel with these handlers, in this order.
  public EmbeddedChannel(ChannelHandler... handlers) {
    this(
        ChannelSettings.DEFAULT,
        channel -> {
          for (ChannelHandler handler : handlers) {
            channel.pipeline().addLast(handler);
          }
        });
  }

  /// An open channel with settings.
  public EmbeddedChannel(ChannelSettings settings, ChannelInitializer initializer) {
    loop.step();
    try {
      channel = Channel.open(loop, io, settings, initializer);
    } catch (Exception e) {
      loop.endStepped();
      io.release();
      throw new IllegalArgumentException("the initializer failed", e);
    }
  }

  /// The channel under test.
  public Channel channel() {
    return channel;
  }

  /// The loop, which this thread drives.
  public EventLoop loop() {
    return loop;
  }

  /// The peer sends bytes; the channel takes the buffer over. They wait while the channel does not
  /// read.
  public EmbeddedChannel send(ByteBuf bytes) {
    io.send(bytes);
    return runTasks();
  }

  /// The peer sends text, one byte a character, in a buffer that may grow like those that
  /// transports read into.
  public EmbeddedChannel send(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuf buffer = ByteBufAllocator.shared().allocate(Math.max(1, bytes.length));
    return send(buffer.writeBytes(bytes));
  }

  /// The transport delivers a message, of which the channel takes ownership: bytes like [#send], or
  /// anything that another kind of transport delivers.
  public EmbeddedChannel deliver(Object message) {
    io.send(message);
    return runTasks();
  }

  /// Messages other than bytes and files that were written and flushed since the last call. The
  /// caller owns them.
  public List<Object> takeMessages() {
    return io.takeMessages();
  }

  /// The peer ends its direction.
  public EmbeddedChannel endInput() {
    io.endInput();
    return runTasks();
  }

  /// The connection breaks. `cause` is not rethrown if no handler takes it.
  public EmbeddedChannel fail(IOException cause) {
    io.fail(cause);
    drainTasks();
    @Nullable Throwable unhandled = keepsUnhandled ? null : poller.takeUnhandled();
    if (unhandled != null && unhandled != cause) {
      rethrow(unhandled);
    }
    return this;
  }

  /// What the channel has sent since the last call, as a buffer in memory of the garbage collector.
  public ByteBuf takeSent() {
    return io.takeSent();
  }

  /// What the channel has sent since the last call, one character a byte.
  public String takeSentText() {
    return io.takeSent().toString(StandardCharsets.ISO_8859_1);
  }

  /// How many bytes the kernel still takes; everything else waits.
  public EmbeddedChannel setWindow(long bytes) {
    io.setWindow(bytes);
    return runTasks();
  }

  /// Leaves failures that no handler takes to [#takeUnhandled]: for a test of a handler that lets
  /// them close the channel.
  public EmbeddedChannel keepUnhandled() {
    keepsUnhandled = true;
    return this;
  }

  /// The first failure since the last call that no handler took, or null.
  public @Nullable Throwable takeUnhandled() {
    return poller.takeUnhandled();
  }

  /// Runs tasks that wait.
  public EmbeddedChannel runTasks() {
    drainTasks();
    @Nullable Throwable unhandled = keepsUnhandled ? null : poller.takeUnhandled();
    if (unhandled != null) {
      rethrow(unhandled);
    }
    return this;
  }

  private void drainTasks() {
    while (loop.step() > 0) {
      // until there is nothing left to do
    }
  }

  private static void rethrow(Throwable cause) {
    switch (cause) {
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      case IOException io -> throw new UncheckedIOException(io);
      default -> throw new IllegalStateException("no handler took a failure", cause);
    }
  }

  /// Moves the time and runs what is due by then.
  public EmbeddedChannel advance(Duration time) {
    clock.advance(time);
    return runTasks();
  }

  /// True when the channel reads now.
  public boolean isReading() {
    return io.reading;
  }

  /// True when the channel has ended its direction.
  public boolean isOutputEnded() {
    return io.outputEnded;
  }

  /// True when the channel has closed its transport.
  public boolean isClosed() {
    return io.closed;
  }

  /// Closes the channel and ends its loop.
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    channel.close();
    try {
      runTasks();
    } finally {
      loop.endStepped();
      io.release();
    }
  }
}
