package dev.quickwater.web;

import dev.quickwater.http.BlockingHandler;
import dev.quickwater.http.HttpHandler;
import java.net.InetSocketAddress;
import java.util.function.Function;

/// A server before it listens.
///
/// ```java
/// var server = HttpServer.create(x -> x.respond(HttpResponse.text("hello\n"))).listen(8080);
/// ```
///
/// Immutable; one may listen any number of times. Every limit and deadline has a finite default
/// ([HttpServerSettings]).
public final class HttpServer {

  private final HttpServerSettings settings;

  /// Makes the handler of one running server.
  private final Function<HttpServerSettings, HttpHandler> handlers;

  private HttpServer(
      HttpServerSettings settings, Function<HttpServerSettings, HttpHandler> handlers) {
    this.settings = settings;
    this.handlers = handlers;
  }

  /// A server whose handler runs on the event loops and must not block.
  public static HttpServer create(HttpHandler handler) {
    return new HttpServer(HttpServerSettings.DEFAULT, _ -> handler);
  }

  /// A server whose handler runs on a virtual thread for each request and may block.
  public static HttpServer blocking(BlockingHandler handler) {
    return new HttpServer(
        HttpServerSettings.DEFAULT, s -> new BlockingAdapter(handler, s.maxBlocking()));
  }

  /// This server with other settings.
  public HttpServer with(HttpServerSettings other) {
    return new HttpServer(other, handlers);
  }

  /// Listens on a port of all addresses; 0 picks a free one.
  ///
  /// @throws java.io.UncheckedIOException if the port cannot be had; the message has the address
  /// @throws UnsupportedOperationException if a transport was asked for that does not work here
  public RunningServer listen(int port) {
    return listen(new InetSocketAddress(port));
  }

  /// Listens on an address.
  ///
  /// @throws java.io.UncheckedIOException if it cannot be had; the message has the address
  /// @throws UnsupportedOperationException if a transport was asked for that does not work here
  public RunningServer listen(InetSocketAddress address) {
    return RunningServer.start(settings, handlers.apply(settings), address);
  }
}
