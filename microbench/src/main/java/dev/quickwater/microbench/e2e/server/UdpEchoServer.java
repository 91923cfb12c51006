package dev.quickwater.microbench.e2e.server;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.util.Objects;

/// Sends each datagram back to its sender: one event loop, one socket.
final class UdpEchoServer {

  static final int SOCKET_BUFFER = 4 << 20;

  private UdpEchoServer() {}

  /// Arguments: transport (`nio`, `epoll`).
  public static void main(String[] args) throws Exception {
    ChannelSettings settings =
        ChannelSettings.DATAGRAM
            .withOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER)
            .withOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
    EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, args[0]));
    Channel channel =
        new DatagramBootstrap(group, settings, c -> c.pipeline().addLast(new Echo()))
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .await();
    InetSocketAddress address = (InetSocketAddress) Objects.requireNonNull(channel.localAddress());
    System.out.println(
        "listening on udp://127.0.0.1:" + address.getPort() + " transport=" + args[0]);
    channel.closeFuture().await();
  }

  private static final class Echo implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.write(message); // a received datagram has its sender as remote address
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      context.flush();
    }
  }
}
