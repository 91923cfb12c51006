package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;

/// A body that is sent.
public interface OutgoingBody {

  /// Queues bytes. Takes ownership of the buffer in every case.
  ///
  /// @throws IllegalStateException if that is more than the announced length; the exchange is reset
  void write(ByteBuf bytes);

  /// Ends the body.
  ///
  /// @throws IllegalStateException if that is less than the announced length; the exchange is reset
  default void end() {
    end(HttpHeaders.EMPTY);
  }

  /// Ends the body with trailers. On HTTP/1.1 trailers of a body whose length was announced are
  /// dropped and counted.
  void end(HttpHeaders trailers);

  /// Sends what was written, without waiting for the end of the loop's turn: the head that is held
  /// back, and what a transformation holds.
  void flush();

  /// False while more bytes wait than the high water mark allows, and after the end.
  boolean isWritable();

  /// Calls `action` once, when the body is writable. A pending action is dropped at the end.
  ///
  /// @throws IllegalStateException if an earlier action is pending
  void onWritable(Runnable action);
}
