package dev.quickwater.http2;

/// The sizes of receive windows (RFC 9113 section 6.9); immutable, validated when created.
///
/// **Memory is bounded, and a stalled reader stops no other stream.** A stream holds at most its
/// window of unread bytes. Windows begin with `initial`, and all growth together is at most half of
/// `maxUnread`. If the maximum number of streams times `initial` is at most the other half, the
/// unread bytes of stalled streams never use up what the connection accepts. The defaults allow 128
/// streams ([#maxStreams]).
///
/// @param initial bytes of a new stream, SETTINGS_INITIAL_WINDOW_SIZE; at least 65,535, which a
///   peer may send before it has read our settings
/// @param max bytes of a stream at most: the window doubles while the product of bandwidth and
///   delay needs it
/// @param connection bytes of the window of the connection, at least `max`. It is refilled when
///   bytes arrive, not when they are read
/// @param maxUnread bytes of all streams that no reader has consumed, at least twice `initial` and
///   at least `connection`
public record WindowSettings(int initial, int max, int connection, int maxUnread) {

  private static final int KIB = 1 << 10;

  /// 65,535 bytes a stream, which needs no acknowledged setting and bounds what small requests
  /// hold; at most 1 MiB, enough for 80 Mbit/s at 100 ms; 1 MiB for the connection; 16 MiB unread,
  /// of which growth may use 8.
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

  /// The number of streams that may stall without an effect on others.
  public int maxStreams() {
    return maxUnread / 2 / initial;
  }

  /// Bytes that the windows of all streams may grow by.
  int maxGrowth() {
    return maxUnread / 2;
  }
}
