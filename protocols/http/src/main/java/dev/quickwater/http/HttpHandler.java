package dev.quickwater.http;

/// Handles requests on the event loop and must not block. See [Blocking] for handlers that block.
@FunctionalInterface
public interface HttpHandler {

  /// Handles one request. The handler may end the exchange in this call or later. An exception
  /// fails the exchange.
  void handle(HttpExchange x) throws Exception;

  /// Calls [#handle] from a callback. An exception fails the exchange.
  default void invoke(HttpExchange x) {
    try {
      handle(x);
    } catch (Throwable t) {
      x.fail(t);
    }
  }
}
