package dev.quickwater.examples;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Passes each connection on to a server behind it.
///
/// The connection to that server uses the loop of the front channel, so that bytes never change
/// threads. When one side cannot take more, the proxy pauses the *other* side: each connection
/// holds no more than its high water mark and one batch of reads. The end of one direction is
/// passed on as the end of that direction.
public final class TcpProxy {

  static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT.withHalfClose(true);

  private TcpProxy() {}

  /// Listens on the port in the first argument and connects to the host and port in the two others.
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    if (arguments.length != 3) {
      System.err.println("usage: TcpProxy PORT HOST HOST_PORT");
      return;
    }
    EventLoopGroup group = EventLoopGroup.create();
    SocketAddress back = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
    SocketAddress front = new InetSocketAddress(Integer.parseInt(arguments[0]));
    Channel listener = listen(group, front, back).await();
    System.out.println("proxy on " + listener.localAddress() + " for " + back);
  }

  /// Listens on `front`; each connection is passed on to `back`.
  public static Future<Channel> listen(
      EventLoopGroup group, SocketAddress front, SocketAddress back) {
    return new ServerBootstrap(group, SETTINGS, channel -> accepted(channel, back)).listen(front);
  }

  /// The front channel is not read until the other side is connected.
  // @start region=connect
  private static void accepted(Channel front, SocketAddress back) {
    Pause connecting = front.pauseReading("the back end is being connected");
    Side frontSide = new Side();
    front.pipeline().addLast(frontSide);
    Side backSide = new Side();
    new ClientBootstrap(front.loop(), SETTINGS, channel -> channel.pipeline().addLast(backSide))
        .connect(back)
        .onComplete(connected -> {
          if (connected.isSuccess() && front.isActive()) {
            frontSide.other = connected.value();
            backSide.other = front;
            connecting.close();
          } else {
            front.close();
            if (connected.isSuccess()) {
              connected.value().close();
            }
          }
        });
  }

  // @end

  /// One side of a proxied connection.
  static final class Side implements ChannelHandler {

    @Nullable Channel other;

    /// Held on the other side while this one cannot take more.
    private @Nullable Pause pause;

    @Override
    public void channelRead(HandlerContext context, Object message) {
      other().write(message);
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      other().flush();
    }

    // @start region=pressure
    @Override
    public void channelWritabilityChanged(HandlerContext context) {
      if (context.channel().isWritable()) {
        if (pause != null) {
          pause.close();
          pause = null;
        }
      } else {
        context.flush();
        if (pause == null && !context.channel().isWritable()) {
          pause = other().pauseReading("the other side of the proxy is behind");
        }
      }
    }

    // @end

    // @start region=end
    @Override
    public void channelInputClosed(HandlerContext context) {
      other().shutdownOutput();
    }

    @Override
    public void channelInactive(HandlerContext context) {
      if (other != null) {
        other.closeAfterFlush();
      }
    }

    // @end

    private Channel other() {
      if (other == null) {
        throw new IllegalStateException("not connected");
      }
      return other;
    }
  }
}
