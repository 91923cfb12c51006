package dev.quickwater.channel.nio;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ListenerDriver;
import dev.quickwater.channel.spi.ListenerSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A listening socket of NIO.
final class NioListener implements ListenerSocket, NioEndpoint {

  private final ServerSocketChannel server;
  private final SelectionKey key;

  private NioListener(ServerSocketChannel server, SelectionKey key) {
    this.server = server;
    this.key = key;
  }

  static ChannelIo open(
      Selector selector, ServerSocketChannel server, SocketAddress local, ChannelSettings settings)
      throws IOException {
    checkOptions(server, settings);
    server.configureBlocking(false);
    if (server.supportedOptions().contains(StandardSocketOptions.SO_REUSEADDR)) {
      server.setOption(
          StandardSocketOptions.SO_REUSEADDR, true); // Unix sockets have no such option
    }
    for (Map.Entry<SocketOption<?>, Object> option : settings.sockets().options().entrySet()) {
      if (server.supportedOptions().contains(option.getKey())) {
        NioEndpoint.set(server, option.getKey(), option.getValue());
      }
    }
    try {
      server.bind(local, settings.sockets().backlog());
    } catch (IOException | RuntimeException e) {
      BindException named =
          new BindException("cannot listen on " + local + ": " + NioUnix.reason(local, e));
      named.initCause(e);
      throw named;
    }
    SelectionKey key = server.register(selector, 0);
    ListenerDriver driver = new ListenerDriver(new NioListener(server, key));
    key.attach(driver);
    return driver;
  }

  /// Sets the options of connections on a temporary socket, to detect options that the system
  /// refuses. Otherwise such an option would only be detected on accepted connections and reset
  /// each of them.
  ///
  /// @throws UnsupportedOperationException if neither connections nor the listening socket support
  ///   an option
  private static void checkOptions(ServerSocketChannel server, ChannelSettings settings)
      throws IOException {
    try (SocketChannel connection = SocketChannel.open()) {
      for (Map.Entry<SocketOption<?>, Object> option : settings.sockets().options().entrySet()) {
        if (connection.supportedOptions().contains(option.getKey())) {
          NioEndpoint.set(connection, option.getKey(), option.getValue());
        } else if (!server.supportedOptions().contains(option.getKey())) {
          throw new UnsupportedOperationException(
              "NIO sockets do not support the option " + option.getKey().name());
        }
      }
    }
  }

  @Override
  public void interest(int events) {
    key.interestOps((events & READ) != 0 ? SelectionKey.OP_ACCEPT : 0);
  }

  @Override
  public @Nullable AcceptedSocket accept() throws IOException {
    @Nullable SocketChannel channel = server.accept();
    return channel == null ? null : new Accepted(channel);
  }

  private record Accepted(SocketChannel channel) implements AcceptedSocket {

    @Override
    public ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException {
      return ((NioPoller) poller).adopt(channel, settings);
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
      return NioSocket.remoteAddress(channel);
    }

    @Override
    public void close() {
      NioEndpoint.closeQuietly(channel);
    }
  }

  @Override
  public ServerSocketChannel channel() {
    return server;
  }
}
