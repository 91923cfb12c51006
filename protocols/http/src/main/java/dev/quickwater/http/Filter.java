package dev.quickwater.http;

/// Runs before a handler, for example for authentication, logging or limits. A filter either passes
/// the exchange to `next` or ends it. To read or change responses it registers
/// [HttpExchange#onRespond], [HttpExchange#onFail] or [Exchange#onEnd]. A filter that continues in
/// a callback calls [HttpHandler#invoke].
@FunctionalInterface
public interface Filter {

  /// Handles an exchange before `next`.
  void handle(HttpExchange x, HttpHandler next) throws Exception;

  /// A handler that runs this filter and then `next`.
  default HttpHandler around(HttpHandler next) {
    return x -> handle(x, next);
  }
}
