package dev.quickwater.http;

import dev.quickwater.common.AttributeKey;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// The view of an exchange that a [BlockingHandler] has. It belongs to the handler's thread.
public interface BlockingExchange {

  /// The head of the request.
  RequestHead request();

  /// The connection that carries the exchange.
  HttpConnection connection();

  /// The value of a key in the exchange, or null.
  <T> @Nullable T attribute(AttributeKey<T> key);

  /// The value of a path parameter of the route.
  ///
  /// @throws IllegalArgumentException if the route has no parameter of that name
  String param(String name);

  /// The body of the request; always the same stream. It ends when the handler returns, unless the
  /// response is streamed: then the writer may continue to read it. A read throws an
  /// [java.io.IOException] if the body is incomplete or exceeds a limit.
  InputStream body();

  /// The trailers of the request; empty until [#body] has ended.
  HttpHeaders trailers();

  /// Replaces the limits of the exchange at once.
  void limits(ExchangeLimits limits);

  /// Sends an informational response, 102 to 199.
  void inform(HttpStatus status, HttpHeaders headers);
}
