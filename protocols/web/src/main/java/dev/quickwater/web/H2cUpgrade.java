package dev.quickwater.web;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http2.BudgetTrips;
import dev.quickwater.http2.Http2ServerHandler;
import org.jspecify.annotations.Nullable;

/// Changes connections from HTTP/1.1 to HTTP/2 for requests with `Upgrade: h2c` (RFC 7540 section
/// 3.2). Such a request becomes the first stream; other requests pass to the handler.
final class H2cUpgrade implements HttpHandler {

  private final VersionSettings settings;
  private final HttpHandler next;
  private final BudgetTrips trips;

  H2cUpgrade(VersionSettings settings, HttpHandler next, BudgetTrips trips) {
    this.settings = settings;
    this.next = next;
    this.trips = trips;
  }

  @Override
  public void handle(HttpExchange x) throws Exception {
    @Nullable Http2ServerHandler http2 =
        x.request().protocol() == null
            ? null
            : Http2ServerHandler.upgrade(x.request(), settings.http2(), next, trips);
    if (http2 == null) {
      next.handle(x);
      return;
    }
    x.tunnel(
        HttpHeaders.EMPTY,
        channel -> {
          settings.http2Initializer().initialize(channel);
          channel.pipeline().addLast(http2);
        });
  }
}
