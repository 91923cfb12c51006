package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/// The effects of a [ConnectionEngine]. Loop only. No method calls the engine before it returns,
/// except that [#close] may report the close.
interface ConnectionIo extends OutputIo {

  EventLoop loop();

  /// The connection as exchanges see it.
  HttpConnection connection();

  /// The loop's time in nanoseconds.
  long now();

  /// Calls [ConnectionEngine#flushDue] once at the end of the loop's turn.
  void flushLater();

  boolean isWritable();

  /// Stops or starts reading from the peer.
  void holdInput(boolean hold);

  boolean isReadingPaused();

  /// Calls [ConnectionEngine#resume] in this turn of the loop.
  void resumeSoon();

  /// Calls [ConnectionEngine#timerFired] after `nanos`, or never for [ConnectionClock#NEVER].
  /// Replaces an earlier request.
  void wakeAfter(long nanos);

  /// Closes without waiting for the peer.
  void close();

  /// Replaces the engine by the handlers of `initializer`, which receive `rest`, the bytes behind
  /// the message that opened the tunnel.
  void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest);

  /// For log lines.
  String peer();
}
