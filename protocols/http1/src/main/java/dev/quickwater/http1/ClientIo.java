package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/// What a [ClientEngine] asks of the connection that carries it. Loop only; none of these calls the
/// engine back before it returns, except that [#close] may report the close.
interface ClientIo extends OutputIo {

  EventLoop loop();

  /// The connection as exchanges see it.
  HttpConnection connection();

  /// The loop's time in nanoseconds.
  long now();

  /// Calls [ClientEngine#flushDue] once at the end of the loop's turn.
  void flushLater();

  boolean isWritable();

  /// Bytes that may wait to be sent before the connection is aborted.
  long hardLimit();

  /// Stops or starts reading from the peer.
  void holdInput(boolean hold);

  boolean isReadingPaused();

  /// Calls [ClientEngine#resume] in this turn of the loop.
  void resumeSoon();

  /// Calls [ClientEngine#timerFired] after `nanos`, or not at all for [ConnectionClock#NEVER]; it
  /// replaces an earlier request.
  void wakeAfter(long nanos);

  /// The connection can carry another exchange.
  void idle();

  /// The connection closes after the open exchange.
  void closeAnnounced();

  void close();

  /// Replaces the engine by the handlers of `initializer`, which receive `rest`, the bytes behind
  /// the response.
  void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest);

  /// For log lines.
  String peer();
}
