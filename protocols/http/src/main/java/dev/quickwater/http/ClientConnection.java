package dev.quickwater.http;

import dev.quickwater.common.Future;

/// A client's connection outside of a pool.
public interface ClientConnection extends HttpConnection {

  /// Opens an exchange: on HTTP/1.1 after all earlier exchanges have ended, on HTTP/2 as soon as
  /// the server allows another stream.
  Future<ClientExchange> open(RequestHead head);

  /// Registers a callback that runs when the server announces that it closes the connection.
  void onDrain(Runnable action);

  /// Closes the connection and aborts open exchanges.
  void close();
}
