package dev.quickwater.web;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.Blocking;
import dev.quickwater.http.BlockingHandler;
import dev.quickwater.http.HttpHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Servers on a free port of the loopback, two loops.
final class Servers {

  /// Silenced, because tests make handlers fail on purpose.
  private static final Logger QUIET = Logger.getLogger("dev.quickwater");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private Servers() {}

  static RunningServer start(String transport, HttpHandler handler) {
    return start(transport, handler, s -> s);
  }

  static RunningServer start(
      String transport, HttpHandler handler, UnaryOperator<HttpServerSettings> change) {
    return listen(transport, HttpServer.create(handler), change);
  }

  static RunningServer blocking(String transport, BlockingHandler handler) {
    return start(transport, Blocking.handler(handler));
  }

  private static RunningServer listen(
      String transport, HttpServer server, UnaryOperator<HttpServerSettings> change) {
    HttpServerSettings settings =
        HttpServerSettings.DEFAULT.withLoops(new LoopSettings(2, transport));
    return server
        .with(change.apply(settings))
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }
}
