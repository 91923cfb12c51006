package dev.quickwater.http;

/// Runs before handlers: authentication, logging, limits. It passes the exchange to `next`, or ends
/// it. To see or change responses it registers [HttpExchange#onRespond], [HttpExchange#onFail] or
/// [Exchange#onEnd]. An asynchronous filter calls [HttpHandler#invoke].
@FunctionalInterface
public interface Filter {

  /// Handles an exchange before `next`.
  void handle(HttpExchange x, HttpHandler next) throws Exception;

  /// A handler that runs this filter and then `next`.
  default HttpHandler around(HttpHandler next) {
    return x -> handle(x, next);
  }
}
