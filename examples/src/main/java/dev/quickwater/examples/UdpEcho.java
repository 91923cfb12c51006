package dev.quickwater.examples;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ExecutionException;

/// Sends datagrams back to their senders.
///
/// The handler flushes once all datagrams of a turn were read, so that many leave with one system
/// call.
public final class UdpEcho implements ChannelHandler {

  /// For one channel.
  public UdpEcho() {}

  /// Binds to the port in the first argument, 8007 without one.
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8007;
    EventLoopGroup group = EventLoopGroup.create();
    Channel channel = bind(group, new InetSocketAddress(port)).await();
    System.out.println("bound to " + channel.localAddress() + " by " + group.transport());
  }

  /// Binds a channel of `group` that sends back what it receives.
  public static Future<Channel> bind(EventLoopGroup group, SocketAddress address) {
    return new DatagramBootstrap(
            group, ChannelSettings.DATAGRAM, c -> c.pipeline().addLast(new UdpEcho()))
        .bind(address);
  }

  /// The remote address of a received datagram is its sender; that of a written datagram is its
  /// receiver. A datagram that arrives while the channel is not writable is dropped, as a router
  /// would do: senders that do not wait for echoes must not fill the memory.
  // @start region=read
  @Override
  public void channelRead(HandlerContext context, Object message) throws Exception {
    if (context.channel().isWritable()) {
      context.write(message);
    } else {
      ((AutoCloseable) message).close();
    }
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    context.flush();
  }

  // @end

  /// An unreachable destination fails one datagram, not the channel.
  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    System.err.println("a datagram was not sent: " + cause.getMessage());
  }
}
