package dev.quickwater.web;

import dev.quickwater.http.Filter;
import dev.quickwater.http.HttpHandler;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// An HTTP server: a handler with its filters and settings. [#listen] starts it.
///
/// ```java
/// var server = HttpServer.create(x -> x.respond(HttpResponse.text("hello\n"))).listen(8080);
/// ```
///
/// Handlers run on the event loops. [dev.quickwater.http.Blocking] turns blocking code into a
/// handler, and [Routes] combines several handlers. A server is immutable and can listen any number
/// of times. Every limit and deadline has a finite default ([HttpServerSettings]).
public final class HttpServer {

  private final HttpServerSettings settings;
  private final HttpHandler handler;
  private final List<Filter> filters;

  private HttpServer(HttpServerSettings settings, HttpHandler handler, List<Filter> filters) {
    this.settings = settings;
    this.handler = handler;
    this.filters = filters;
  }

  /// A server with a handler for all requests.
  public static HttpServer create(HttpHandler handler) {
    return new HttpServer(HttpServerSettings.DEFAULT, handler, List.of());
  }

  /// This server with another filter, which runs after the existing filters.
  public HttpServer filter(Filter filter) {
    List<Filter> more = new ArrayList<>(filters);
    more.add(filter);
    return new HttpServer(settings, handler, List.copyOf(more));
  }

  /// This server with other settings.
  public HttpServer with(HttpServerSettings other) {
    return new HttpServer(other, handler, filters);
  }

  /// Listens on a port of all addresses; 0 picks a free port.
  ///
  /// @throws java.io.UncheckedIOException if the port cannot be bound; the message has the address
  /// @throws UnsupportedOperationException if a transport was requested that does not work here
  public RunningServer listen(int port) {
    return listen(new InetSocketAddress(port));
  }

  /// Listens on an address.
  ///
  /// @throws java.io.UncheckedIOException if the address cannot be bound; the message has the
  ///   address
  /// @throws UnsupportedOperationException if a transport was requested that does not work here
  public RunningServer listen(InetSocketAddress address) {
    return RunningServer.start(settings, filtered(), address);
  }

  private HttpHandler filtered() {
    HttpHandler all = handler;
    for (Filter filter : filters.reversed()) {
      all = filter.around(all);
    }
    return all;
  }
}
