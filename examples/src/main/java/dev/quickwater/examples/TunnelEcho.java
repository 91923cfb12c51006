package dev.quickwater.examples;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.TunnelDrain;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;

/// Opens a tunnel for each CONNECT request and sends back what it receives. When the server stops,
/// the tunnels end after the bytes that were written.
public final class TunnelEcho implements HttpHandler {

  /// A handler for CONNECT requests.
  public TunnelEcho() {}

  /// Listens on the port in the first argument.
  public static void main(String[] arguments) {
    RunningServer server =
        HttpServer.create(new TunnelEcho()).listen(Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    System.out.println("listening on port " + server.port());
  }

  @Override
  public void handle(HttpExchange x) {
    x.tunnel(HttpHeaders.EMPTY, channel -> channel.pipeline().addLast(new Echo()));
  }

  // @start region=drain
  private static final class Echo implements ChannelHandler {

    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.writeAndFlush(message);
    }

    @Override
    public void userEvent(HandlerContext context, Object event) {
      if (event == TunnelDrain.INSTANCE) {
        context.channel().closeAfterFlush();
      } else {
        context.fireUserEvent(event);
      }
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      context.channel().closeAfterFlush();
    }
  }
  // @end

}
