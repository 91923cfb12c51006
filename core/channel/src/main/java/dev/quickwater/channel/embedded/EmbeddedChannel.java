package dev.quickwater.channel.embedded;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.VirtualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A channel whose peer, kernel, thread and clock are the test.
///
/// The thread that makes it is its loop: everything happens inside the calls. Time stands still but
/// for [#advance]. [#close] ends the loop, and with it everything that the channel holds.
public final class EmbeddedChannel implements AutoCloseable {

  private final VirtualClock clock = new VirtualClock();
  private final EmbeddedIo io = new EmbeddedIo();
  private final EventLoop loop = EventLoop.stepped(new EmbeddedPoller(), clock);
  private final Channel channel;
  private boolean ended;

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

  /// The peer sends text, one byte a character.
  public EmbeddedChannel send(String text) {
    return send(ByteBuf.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /// The peer ends its direction.
  public EmbeddedChannel endInput() {
    io.endInput();
    return runTasks();
  }

  /// The connection breaks.
  public EmbeddedChannel fail(IOException cause) {
    io.fail(cause);
    return runTasks();
  }

  /// What the channel has sent since the last call, as a buffer of the collector's own.
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

  /// Runs tasks that wait.
  public EmbeddedChannel runTasks() {
    while (loop.step() > 0) {
      // until there is nothing left to do
    }
    return this;
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
    runTasks();
    loop.endStepped();
    io.release();
  }
}
