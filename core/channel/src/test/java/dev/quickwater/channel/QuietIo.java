package dev.quickwater.channel;

import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// A transport without a peer, of which tests override what should fail.
class QuietIo implements ChannelIo {

  boolean reading;

  /// An open channel on this transport.
  Channel open(EventLoop loop) {
    try {
      return Channel.open(loop, this, ChannelSettings.DEFAULT, _ -> {});
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void attach(ChannelEvents events) {}

  @Override
  public void startReading() {
    reading = true;
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    Messages.discard(message);
  }

  @Override
  public void flush() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {}

  @Override
  public int abandon(Throwable cause) {
    return 0;
  }

  @Override
  public long pendingBytes() {
    return 0;
  }
}
