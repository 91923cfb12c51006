package dev.quickwater.channel.embedded;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.VirtualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A channel for tests. The test is its peer, its kernel, its thread and its clock.
///
/// The thread that creates the channel is its loop: all work happens inside the calls of this
/// class. Time advances only by [#advance]. [#close] ends the loop and releases everything that the
/// channel holds.
///
/// - **Any message** can be delivered and written. Written bytes are collected separately from
///   other messages. Inbound messages that pass the last handler are collected too.
/// - **A failure that no handler takes** is thrown by the next call of this class that runs tasks.
public final class EmbeddedChannel implements AutoCloseable {

  private final VirtualClock clock = new VirtualClock();
  private final EmbeddedIo io = new EmbeddedIo();
  private final EmbeddedPoller poller = new EmbeddedPoller();
  private final EventLoop loop = EventLoop.stepped(poller, clock);
  private final Channel channel;
  private boolean ended;
  private boolean keepsUnhandled;

  /// Opens a channel with these handlers, in this order.
  public EmbeddedChannel(ChannelHandler... handlers) {
    this(
        ChannelSettings.DEFAULT,
        channel -> {
          for (ChannelHandler handler : handlers) {
            channel.pipeline().addLast(handler);
          }
        });
  }

  /// Opens a channel with settings.
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

  /// The peer sends bytes; the channel takes ownership of the buffer. The bytes wait while the
  /// channel does not read.
  public EmbeddedChannel send(ByteBuf bytes) {
    io.send(bytes);
    return runTasks();
  }

  /// The peer sends text, one byte per character, in a buffer that may grow like the receive
  /// buffers of transports.
  public EmbeddedChannel send(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuf buffer = ByteBufAllocator.shared().allocate(Math.max(1, bytes.length));
    return send(buffer.writeBytes(bytes));
  }

  /// The transport delivers a message; the channel takes ownership of it. Bytes are delivered like
  /// [#send]; other transports may deliver any other message.
  public EmbeddedChannel deliver(Object message) {
    io.send(message);
    return runTasks();
  }

  /// The messages, other than bytes and files, that were written and flushed since the last call.
  /// The caller owns them.
  public List<Object> takeMessages() {
    return io.takeMessages();
  }

  /// The inbound messages that passed the last handler since the last call, for example the output
  /// of a decoder. The caller owns them. [#close] releases those that were not taken.
  public List<Object> takeReceived() {
    return poller.takeUnclaimed();
  }

  /// The peer ends its direction.
  public EmbeddedChannel endInput() {
    io.endInput();
    return runTasks();
  }

  /// The connection fails with `cause`, which is not rethrown even if no handler takes it.
  public EmbeddedChannel fail(IOException cause) {
    io.fail(cause);
    drainTasks();
    @Nullable Throwable unhandled = keepsUnhandled ? null : poller.takeUnhandled();
    if (unhandled != null && unhandled != cause) {
      rethrow(unhandled);
    }
    return this;
  }

  /// The bytes that the channel has sent since the last call, as a buffer in heap memory.
  public ByteBuf takeSent() {
    return io.takeSent();
  }

  /// The bytes that the channel has sent since the last call, one character per byte.
  public String takeSentText() {
    return io.takeSent().toString(StandardCharsets.ISO_8859_1);
  }

  /// Sets the number of bytes that the kernel still takes. The rest waits.
  public EmbeddedChannel setWindow(long bytes) {
    io.setWindow(bytes);
    return runTasks();
  }

  /// Keeps failures that no handler takes for [#takeUnhandled] instead of throwing them. For tests
  /// of handlers that let failures close the channel.
  public EmbeddedChannel keepUnhandled() {
    keepsUnhandled = true;
    return this;
  }

  /// The first failure since the last call that no handler took, or null.
  public @Nullable Throwable takeUnhandled() {
    return poller.takeUnhandled();
  }

  /// Runs the queued tasks.
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

  /// Advances the time and runs the timers that are due.
  public EmbeddedChannel advance(Duration time) {
    clock.advance(time);
    return runTasks();
  }

  /// True while the channel reads.
  public boolean isReading() {
    return io.reading;
  }

  /// True once the channel has ended its direction.
  public boolean isOutputEnded() {
    return io.outputEnded;
  }

  /// True once the channel has closed its transport.
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
      poller.takeUnclaimed().forEach(Messages::discard);
    }
  }
}
