package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/// What an engine asks of the connection that carries it. Loop only; none of these calls the engine
/// back before it returns.
interface ServerIo extends OutputIo {

  EventLoop loop();

  /// The connection as exchanges see it.
  HttpConnection connection();

  /// The loop's time in nanoseconds.
  long now();

  /// Calls [ServerEngine#flushDue] once at the end of the loop's turn.
  void flushLater();

  boolean isWritable();

  /// Stops or starts reading from the peer.
  void holdInput(boolean hold);

  boolean isReadingPaused();

  /// True if another request may be begun in this turn of the loop.
  boolean takeUnit();

  /// Calls [ServerEngine#resume] in this turn of the loop, once.
  void resumeSoon();

  /// Calls [ServerEngine#continueTurn] in the next turn of the loop.
  void resumeLater();

  /// Calls [ServerEngine#timerFired] after `nanos`, or not at all for [ConnectionClock#NEVER]; it
  /// replaces an earlier request.
  void wakeAfter(long nanos);

  /// Sends what was written, ends this direction, and reads until the peer has ended its direction
  /// or the limits of the settings are reached.
  void closeGracefully();

  /// Closes without waiting for the peer.
  void close();

  /// Closes in a way that the peer cannot take for a complete message.
  void reset();

  /// Replaces the engine by the handlers of `initializer`, which receive `rest`, the bytes behind
  /// the request.
  void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest);

  /// For log lines.
  String peer();
}
