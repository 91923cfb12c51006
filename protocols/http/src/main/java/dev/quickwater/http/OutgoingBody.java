package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;

/// A body that is sent.
public interface OutgoingBody {

  /// Queues bytes. Takes ownership of the buffer in every case.
  ///
  /// @throws IllegalStateException if the body becomes longer than announced; the exchange is reset
  void write(ByteBuf bytes);

  /// Ends the body.
  ///
  /// @throws IllegalStateException if the body is shorter than announced; the exchange is reset
  default void end() {
    end(HttpHeaders.EMPTY);
  }

  /// Ends the body with trailers. HTTP/1.1 cannot send trailers after a body of announced length:
  /// such trailers are dropped and counted.
  void end(HttpHeaders trailers);

  /// Sends all written bytes at once, instead of at the end of the loop's turn. This includes a
  /// deferred head, and bytes that a transformation holds.
  void flush();

  /// True if the queued bytes are at most the high water mark and the body has not ended.
  boolean isWritable();

  /// Calls `action` once, as soon as the body is writable. An action that is pending at the end of
  /// the exchange is dropped.
  ///
  /// @throws IllegalStateException if an earlier action is pending
  void onWritable(Runnable action);
}
