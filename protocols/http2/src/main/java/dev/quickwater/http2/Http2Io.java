package dev.quickwater.http2;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.http.engine.EngineIo;
import java.time.Duration;

/// The effects of an [Http2Engine]. Loop only.
interface Http2Io extends EngineIo {

  /// True if another exchange may begin in this turn of the loop. Uses one unit of the loop's
  /// budget.
  boolean takeUnit();

  /// Calls [Http2Engine#continueTurn] in the next turn of the loop.
  void resumeLater();

  /// Sends what was written and ends this direction. Reads and drops input until the peer has ended
  /// its direction or a limit is reached.
  ///
  /// @param limit how long to wait for the peer to end its direction
  /// @param maxBytes the maximum number of input bytes to drop
  void closeGracefully(Duration limit, long maxBytes);

  /// The settings of a tunnel's channel. Half-close is on: the channel is open until both
  /// directions have ended.
  default ChannelSettings tunnelSettings() {
    return ChannelSettings.DEFAULT.withHalfClose(true);
  }

  /// The number of exchanges that a client's connection can carry has changed, or the connection
  /// accepts no further exchange.
  void capacityChanged();
}
