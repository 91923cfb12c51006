package dev.quickwater.channel;

import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// How long a channel waits for its peer while it sends or connects. The wait of a graceful close
/// is an argument of [Channel#closeGracefully].
///
/// @param stallTimeout how long flushed bytes may make no progress before the channel is closed
/// @param connectTimeout how long connecting may take
public record ChannelTimeouts(Duration stallTimeout, Duration connectTimeout) {

  /// A stall timeout of 30 s, a connect timeout of 10 s.
  public static final ChannelTimeouts DEFAULT =
      new ChannelTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(10));

  /// Checks the values.
  public ChannelTimeouts {
    SettingCheck.require(stallTimeout.isPositive(), "stallTimeout", stallTimeout, "more than zero");
    SettingCheck.require(
        connectTimeout.isPositive(), "connectTimeout", connectTimeout, "more than zero");
  }
}
