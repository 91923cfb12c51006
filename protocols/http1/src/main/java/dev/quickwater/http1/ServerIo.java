package dev.quickwater.http1;

/// What a [ServerEngine] asks beyond [ConnectionIo]. Loop only.
interface ServerIo extends ConnectionIo {

  /// True if another request may be begun in this turn of the loop.
  boolean takeUnit();

  /// Calls [ServerEngine#continueTurn] in the next turn of the loop.
  void resumeLater();

  /// Sends what was written, ends this direction, and reads until the peer has ended its direction
  /// or the limits of the settings are reached.
  void closeGracefully();

  /// Closes in a way that the peer cannot take for a complete message.
  void reset();
}
