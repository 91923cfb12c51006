package dev.quickwater.channel.nio;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ReadinessSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A selector and the channels registered with it.
final class NioPoller implements IoPoller {

  final Selector selector;
  final Staging staging;
  private final Consumer<SelectionKey> deliver = this::deliver;
  private @Nullable Runnable awake;

  NioPoller() throws IOException {
    selector = Selector.open();
    staging = new Staging();
  }

  @Override
  public void poll(long nanos, Runnable onAwake) {
    awake = onAwake;
    try {
      if (nanos == 0) {
        selector.selectNow(deliver);
      } else if (nanos == Long.MAX_VALUE) {
        selector.select(deliver);
      } else {
        // Rounded up: a wake-up before a timer is due would waste a turn of the loop.
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
        selector.select(deliver, Math.max(1, millis));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    runAwake();
  }

  /// Runs `awake` before the first event, or after a poll without events.
  private void runAwake() {
    @Nullable Runnable due = awake;
    if (due != null) {
      awake = null;
      due.run();
    }
  }

  private void deliver(SelectionKey key) {
    runAwake();
    Driver driver = (Driver) key.attachment();
    if (!key.isValid()) {
      return;
    }
    int ops = key.readyOps();
    int ready = 0;
    if ((ops & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0) {
      ready |= ReadinessSocket.READ;
    }
    if ((ops & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0) {
      ready |= ReadinessSocket.WRITE;
    }
    driver.ready(ready);
  }

  @Override
  public void wakeup() {
    selector.wakeup();
  }

  @Override
  public ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException {
    ServerSocketChannel server;
    if (NioUnix.takes(local)) {
      NioUnix.validate(settings);
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    } else {
      server = ServerSocketChannel.open();
    }
    try {
      return NioListener.open(selector, server, local, settings);
    } catch (IOException | RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  @Override
  public ConnectingIo openStream(SocketAddress remote, ChannelSettings settings)
      throws IOException {
    if (NioUnix.takes(remote)) {
      NioUnix.validate(settings);
      return adopt(SocketChannel.open(StandardProtocolFamily.UNIX), settings);
    }
    SocketChannel channel = SocketChannel.open();
    for (SocketOption<?> option : settings.sockets().options().keySet()) {
      if (!channel.supportedOptions().contains(option)) {
        channel.close();
        throw new UnsupportedOperationException(
            "NIO sockets do not support the option " + option.name());
      }
    }
    return adopt(channel, settings);
  }

  @Override
  public ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    if (NioUnix.takes(local == null ? remote : local)) {
      throw new UnsupportedOperationException("NIO has no Unix datagram sockets; epoll has");
    }
    DatagramChannel channel = DatagramChannel.open();
    try {
      return NioDatagram.open(this, channel, local, remote, settings);
    } catch (UnresolvedAddressException e) {
      channel.close();
      throw new UnknownHostException((remote == null ? local : remote) + " is not resolved");
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /// Opens a socket as a channel's transport; closes the socket if that fails.
  ConnectingIo adopt(SocketChannel channel, ChannelSettings settings) throws IOException {
    try {
      channel.configureBlocking(false);
      return NioSocket.open(this, channel, settings);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public FileSource openFile(Path path) throws IOException {
    // Refuses folders, which can be opened but not read, and pipes, on which `open` blocks the loop
    // until another process writes.
    if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isRegularFile()) {
      throw new FileSystemException(path.toString(), null, "is not a file that can be sent");
    }
    return ChannelFileSource.open(path);
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      staging.close();
    }
  }
}
