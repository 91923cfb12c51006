package dev.quickwater.http1;

import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.OutboundBuffer;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A transport that takes everything at once and only counts it; it allocates nothing itself.
final class SinkIo implements ChannelIo {

  private @Nullable ChannelEvents events;
  long sent;

  ChannelEvents events() {
    return Objects.requireNonNull(events);
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
  }

  @Override
  public void flush() {
    OutboundBuffer outbound = events().outbound();
    while (outbound.hasFlushed()) {
      long size = outbound.first().size();
      sent += size;
      outbound.progress(size);
    }
    events().writeProgress();
  }

  @Override
  public void connect(SocketAddress remote, @Nullable SocketAddress local) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void startReading() {}

  @Override
  public void stopReading() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {}

  @Override
  public @Nullable SocketAddress localAddress() {
    return null;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return null;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T getOption(SocketOption<T> option) {
    throw new UnsupportedOperationException();
  }
}
