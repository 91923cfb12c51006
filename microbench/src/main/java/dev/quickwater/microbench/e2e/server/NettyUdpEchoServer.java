package dev.quickwater.microbench.e2e.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;

/// Netty's counterpart of [UdpEchoServer]. On epoll it receives with `recvmmsg`, for which Netty
/// wants to know the maximum size of a datagram, and sends with `sendmmsg`.
@SuppressWarnings("FutureReturnValueIgnored") // the client replaces lost datagrams
final class NettyUdpEchoServer {

  private static final int MAX_PAYLOAD = 2048;

  private NettyUdpEchoServer() {}

  /// Arguments: transport (`nio`, `epoll`).
  public static void main(String[] args) throws InterruptedException {
    NettyTransport transport = NettyTransport.of(args[0]);
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    Bootstrap bootstrap =
        new Bootstrap()
            .group(group)
            .option(ChannelOption.SO_RCVBUF, UdpEchoServer.SOCKET_BUFFER)
            .option(ChannelOption.SO_SNDBUF, UdpEchoServer.SOCKET_BUFFER)
            .handler(new Echo());
    if (transport == NettyTransport.EPOLL) {
      bootstrap
          .channel(EpollDatagramChannel.class)
          .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, MAX_PAYLOAD);
    } else {
      bootstrap.channel(NioDatagramChannel.class);
    }
    Channel channel = bootstrap.bind("127.0.0.1", 0).sync().channel();
    System.out.println(
        "listening on udp://127.0.0.1:"
            + ((InetSocketAddress) channel.localAddress()).getPort()
            + " netty transport="
            + transport.label()
            + " hasUnsafe="
            + PlatformDependent.hasUnsafe());
    channel.closeFuture().sync();
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
      DatagramPacket packet = (DatagramPacket) msg;
      ctx.write(new DatagramPacket(packet.content(), packet.sender()), ctx.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.flush();
    }
  }
}
