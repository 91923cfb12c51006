package dev.quickwater.examples;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.ServerBootstrap;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Sends bytes back to their sender: a server on channels and handlers, without a protocol.
public final class EchoServer implements ChannelHandler {

  private @Nullable Pause pause;

  /// For one channel.
  public EchoServer() {}

  /// Listens on the port in the first argument, 8007 without one.
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8007;
    EventLoopGroup group = EventLoopGroup.create();
    Channel listener =
        new ServerBootstrap(
                group, ChannelSettings.DEFAULT, c -> c.pipeline().addLast(new EchoServer()))
            .listen(new InetSocketAddress(port))
            .await();
    System.out.println("listening on " + listener.localAddress() + " by " + group.transport());
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    context.write(message);
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    context.flush();
  }

  /// If the peer does not read its echo, the server stops reading from the peer.
  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    if (!context.channel().isWritable()) {
      context.flush();
    }
    if (context.channel().isWritable()) {
      if (pause != null) {
        pause.close();
        pause = null;
      }
    } else if (pause == null) {
      pause = context.channel().pauseReading("backlog");
    }
  }
}
