package dev.quickwater.channel;

import java.time.Duration;

/// How long a channel waits for its peer.
///
/// @param stallTimeout how long flushed bytes may wait without any progress before the channel is
///   closed
/// @param connectTimeout how long connecting may take
public record ChannelTimeouts(Duration stallTimeout, Duration connectTimeout) {

  /// 30 s to stall, 10 s to connect.
  public static final ChannelTimeouts DEFAULT =
      new ChannelTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(10));

  /// Checks the values.
  public ChannelTimeouts {
    ChannelSettings.require(
        stallTimeout.isPositive(), "stallTimeout", stallTimeout, "more than zero");
    ChannelSettings.require(
        connectTimeout.isPositive(), "connectTimeout", connectTimeout, "more than zero");
  }
}
