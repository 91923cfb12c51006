package dev.quickwater.http.engine;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpConnection;

/// The effects of a connection's engine. Loop only. No method calls the engine before it returns,
/// except that [#close] may report the close.
public interface EngineIo extends OutputIo {

  /// No deadline.
  long NEVER = Long.MAX_VALUE;

  /// The loop of the connection.
  EventLoop loop();

  /// The connection as exchanges see it.
  HttpConnection connection();

  /// The loop's time in nanoseconds.
  long now();

  /// Notifies the engine once at the end of the loop's turn. The engine then flushes.
  void flushLater();

  /// True if the queued bytes are below the water marks.
  boolean isWritable();

  /// Stops or starts reading from the peer.
  void holdInput(boolean hold);

  /// True if the peer is not read.
  boolean isReadingPaused();

  /// Resumes the engine in this turn of the loop.
  void resumeSoon();

  /// Notifies the engine after `nanos`, or never for [#NEVER]. Replaces an earlier request.
  void wakeAfter(long nanos);

  /// Closes without waiting for the peer.
  void close();

  /// True if the connection is encrypted.
  boolean isSecure();

  /// The peer's address, for log lines.
  String peer();
}
