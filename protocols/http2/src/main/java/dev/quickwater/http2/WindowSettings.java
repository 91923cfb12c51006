package dev.quickwater.http2;

import dev.quickwater.util.setting.SettingCheck;

/// The sizes of receive windows (RFC 9113 section 6.9); immutable, validated when created.
///
/// **Memory is bounded, and a stalled reader stops no other stream.** A stream holds at most its
/// window of unread bytes. A window begins with `initial`; the growth of all windows together is at
/// most half of `maxUnread`. If the maximum number of streams times `initial` is at most the other
/// half, stalled streams never use up the unread bytes that the connection allows. The defaults
/// allow 128 streams ([#maxStreams]).
///
/// @param initial window of a new stream in bytes (SETTINGS_INITIAL_WINDOW_SIZE). At least 65,535,
///   because a peer may send that much before it has read our settings
/// @param max maximum window of a stream in bytes. A window doubles until it covers the product of
///   bandwidth and delay
/// @param connection window of the connection in bytes, at least `max`. Its credit returns when
///   bytes arrive, not when they are read
/// @param maxUnread maximum number of unread bytes of all streams, at least twice `initial` and at
///   least `connection`
public record WindowSettings(int initial, int max, int connection, int maxUnread) {

  private static final int KIB = 1 << 10;

  /// `initial` 65,535 bytes: valid before the peer acknowledges our settings, and small because it
  /// bounds what a small request can hold. `max` 1 MiB: enough for 80 Mbit/s at 100 ms.
  /// `connection` 1 MiB. `maxUnread` 16 MiB, of which growth uses up to 8 MiB.
  public static final WindowSettings DEFAULT =
      new WindowSettings(Windows.PROTOCOL_INITIAL, 1024 * KIB, 1024 * KIB, 16 * 1024 * KIB);

  /// Checks the values.
  public WindowSettings {
    SettingCheck.require(
        initial >= Windows.PROTOCOL_INITIAL,
        "initial",
        initial,
        "at least 65,535, the default of the protocol");
    SettingCheck.require(max >= initial, "max", max, "at least initial, " + initial);
    SettingCheck.require(connection >= max, "connection", connection, "at least max, " + max);
    SettingCheck.require(
        maxUnread >= connection && maxUnread / 2 >= initial,
        "maxUnread",
        maxUnread,
        "at least connection, " + connection + ", and at least twice initial, " + initial);
  }

  /// The number of streams that can stall without an effect on other streams.
  public int maxStreams() {
    return maxUnread / 2 / initial;
  }

  /// The number of bytes by which the windows of all streams together may grow.
  int maxGrowth() {
    return maxUnread / 2;
  }
}
