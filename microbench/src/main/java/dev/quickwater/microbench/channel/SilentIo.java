package dev.quickwater.microbench.channel;

import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// A transport on which nothing ever happens.
final class SilentIo implements ChannelIo {

  @Override
  public void attach(ChannelEvents events) {}

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    Messages.discard(message);
  }

  @Override
  public int abandon(Throwable cause) {
    return 0;
  }

  @Override
  public long pendingBytes() {
    return 0;
  }

  @Override
  public void startReading() {}

  @Override
  public void stopReading() {}

  @Override
  public void flush() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {}
}
