package dev.quickwater.http;

import dev.quickwater.common.Future;

/// A client's connection outside of a pool.
public interface ClientConnection extends HttpConnection {

  /// Opens an exchange; on HTTP/1.1 after the exchanges before it have ended.
  Future<ClientExchange> open(RequestHead head);

  /// Registers a callback for the server's announcement that it closes the connection.
  void onDrain(Runnable action);

  /// Closes the connection; open exchanges are aborted.
  void close();
}
