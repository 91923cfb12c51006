package dev.quickwater.http2;

import dev.quickwater.common.Future;
import dev.quickwater.http.HttpConnection;

/// A connection of HTTP/2, which also reports its settings and budgets. The connection of an
/// exchange is an `Http2Connection` if its version is [dev.quickwater.http.HttpVersion#HTTP_2]:
///
/// ```java
/// if (exchange.connection() instanceof Http2Connection http2) {
///   http2.status().onComplete(status -> log(status.value()));
/// }
/// ```
public interface Http2Connection extends HttpConnection {

  /// The settings in effect and the counts of this connection. May be called on any thread. On the
  /// loop of the connection the future is complete when this method returns. It fails if the loop
  /// has ended.
  Future<Http2Status> status();
}
