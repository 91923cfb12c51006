package dev.quickwater.channel;

import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.IoPoller;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A poller without I/O, for loops whose channels connect within the process.
final class IdlePoller implements IoPoller {

  @Override
  public void poll(long nanos, Runnable awake) {
    awake.run();
  }

  @Override
  public void wakeup() {}

  @Override
  public ChannelIo listen(SocketAddress local, ChannelSettings settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ConnectingIo openStream(SocketAddress remote, ChannelSettings settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSource openFile(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
