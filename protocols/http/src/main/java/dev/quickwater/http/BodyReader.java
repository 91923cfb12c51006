package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;

/// Receives one piece of a body: exactly one method is called, once. An exception that a method
/// throws fails the exchange.
public interface BodyReader {

  /// At least one byte of the body. The reader owns the buffer.
  void data(ByteBuf bytes) throws Exception;

  /// The body is complete.
  void end(HttpHeaders trailers) throws Exception;

  /// The body cannot be completed. By default the exchange fails. A reader that overrides this
  /// method is responsible for the response.
  default void failed(Exception cause) throws Exception {
    throw cause;
  }
}
