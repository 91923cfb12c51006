package dev.quickwater.http2;

import dev.quickwater.http.engine.EngineIo;

/// The effects of an [Http2Engine]. Loop only.
interface Http2Io extends EngineIo {

  /// True if another exchange may begin in this turn of the loop.
  boolean takeUnit();

  /// Calls [Http2Engine#continueTurn] in the next turn of the loop.
  void resumeLater();

  /// Sends what was written and ends this direction. Then drops input until the peer has ended its
  /// direction or a limit is reached.
  void closeGracefully();

  /// A client's connection can carry another exchange, or no exchange any more.
  void capacityChanged();
}
