package dev.quickwater.http;

/// Answers requests on the event loop; it must not block.
@FunctionalInterface
public interface HttpHandler {

  /// Called with each exchange. It may answer now or later; what it throws becomes a response of
  /// status 500, or a broken connection when a response has begun.
  void handle(HttpExchange exchange) throws Exception;
}
