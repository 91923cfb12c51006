package dev.quickwater.http1;

/// The effects of a [ServerEngine] beyond [ConnectionIo]. Loop only.
interface ServerIo extends ConnectionIo {

  /// True if another request may begin in this turn of the loop. Uses one unit of the loop's
  /// budget.
  boolean takeUnit();

  /// Calls [ServerEngine#continueTurn] in the next turn of the loop.
  void resumeLater();

  /// Sends what was written and ends this direction. Then reads and drops input until the peer has
  /// ended its direction or a limit of the settings is reached.
  void closeGracefully();

  /// Closes by a reset: the peer cannot mistake the message for a complete one.
  void reset();
}
