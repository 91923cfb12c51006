package dev.quickwater.examples;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.Pause;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Opens tunnels by CONNECT to a fixed set of servers. A proxy that connects to any address would
/// give its clients access to all machines that it can reach.
public final class TunnelProxy implements HttpHandler {

  private final Map<Authority, SocketAddress> servers;

  /// Opens tunnels to these servers.
  public TunnelProxy(Map<Authority, SocketAddress> servers) {
    this.servers = Map.copyOf(servers);
  }

  /// Listens on the port in the first argument and opens tunnels to the authorities in the others,
  /// for example `localhost:8007`.
  public static void main(String[] arguments) {
    Map<Authority, SocketAddress> servers = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      Authority server = Authority.of(arguments[i]);
      servers.put(server, new InetSocketAddress(server.host(), server.port()));
    }
    RunningServer server =
        HttpServer.create(new TunnelProxy(servers)).listen(Integer.parseInt(arguments[0]));
    System.out.println("proxy on port " + server.port() + " for " + servers.keySet());
  }

  // @start region=handle
  @Override
  public void handle(HttpExchange x) {
    @Nullable Authority to = x.request().authority();
    @Nullable SocketAddress back = to == null ? null : servers.get(to);
    if (back == null || !x.request().method().equals(HttpMethod.CONNECT)) {
      throw new HttpException(HttpStatus.FORBIDDEN, "only tunnels to known servers");
    }
    TcpProxy.Side backSide = new TcpProxy.Side();
    new ClientBootstrap(x.loop(), TcpProxy.SETTINGS, c -> c.pipeline().addLast(backSide))
        .connect(back)
        .onComplete(connected -> {
          if (connected.isSuccess()) {
            open(x, backSide, connected.value());
          } else {
            x.fail(new HttpException(HttpStatus.BAD_GATEWAY, "the server is not reachable"));
          }
        });
  }

  private static void open(HttpExchange x, TcpProxy.Side backSide, Channel back) {
    Pause opening = back.pauseReading("the tunnel is being opened");
    x.onEnd(end -> {
      if (!end.isCompleted()) {
        back.close();
      }
    });
    x.tunnel(
        HttpHeaders.EMPTY,
        front -> {
          TcpProxy.Side frontSide = new TcpProxy.Side();
          frontSide.other = back;
          backSide.other = front;
          front.pipeline().addLast(frontSide);
          opening.close();
        });
  }
  // @end

}
