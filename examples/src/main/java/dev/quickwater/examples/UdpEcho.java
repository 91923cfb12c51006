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

/// Datagrams back to their senders.
///
/// Many datagrams of one turn of the loop leave with one system call, because the handler flushes
/// once they were all read.
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

  /// The remote address of a received datagram is its sender; of one that is written, the receiver.
  /// A datagram that comes while the channel is not writable is dropped, as a router would do:
  /// senders that do not wait for answers must not fill the memory.
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

  /// A destination that cannot be reached concerns one datagram.
  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    System.err.println("a datagram was not sent: " + cause.getMessage());
  }
}
