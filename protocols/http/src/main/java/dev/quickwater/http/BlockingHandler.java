package dev.quickwater.http;

/// Handles requests on a virtual thread and may block. See [Blocking].
@FunctionalInterface
public interface BlockingHandler {

  /// Handles one request. The thread is interrupted if the exchange ends early. An exception fails
  /// the exchange.
  HttpResponse handle(BlockingExchange x) throws Exception;
}
