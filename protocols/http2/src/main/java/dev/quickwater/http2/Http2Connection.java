package dev.quickwater.http2;

import dev.quickwater.common.Future;
import dev.quickwater.http.HttpConnection;

/// What a connection of HTTP/2 has beyond other connections. The connection of an exchange is an
/// `Http2Connection` if its version is [dev.quickwater.http.HttpVersion#HTTP_2]:
///
/// ```java
/// if (exchange.connection() instanceof Http2Connection http2) {
///   http2.status().onComplete(status -> log(status.value()));
/// }
/// ```
public interface Http2Connection extends HttpConnection {

  /// The settings in effect and the counts of this connection. On the loop of the connection the
  /// future is complete when this method returns.
  Future<Http2Status> status();
}
