package dev.quickwater.microbench.channel;

import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ReadinessSocket;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A poller without a kernel: each poll finds its driver, if it has one, ready to be read.
final class NoPoller implements IoPoller {

  @Nullable Driver readable;

  @Override
  public void poll(long nanos, Runnable awake) {
    awake.run();
    if (readable != null) {
      readable.ready(ReadinessSocket.READ);
    }
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
