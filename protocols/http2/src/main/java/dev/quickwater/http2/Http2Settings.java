package dev.quickwater.http2;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// Limits and deadlines of an HTTP/2 connection; immutable, validated when created.
///
/// @param streams limits of streams and their heads; `maxStreams` is at most
///   [WindowSettings#maxStreams], so that stalled streams stop no other stream
/// @param windows sizes of the receive windows
/// @param timeouts how long a connection waits
/// @param budgets limits of frames that cost this side more than the peer
/// @param exchanges the default limits of exchanges
public record Http2Settings(
    StreamLimits streams,
    WindowSettings windows,
    Timeouts timeouts,
    BudgetSettings budgets,
    ExchangeLimits exchanges) {

  /// Checks that the windows suffice for all streams.
  public Http2Settings {
    SettingCheck.require(
        streams.maxStreams() <= windows.maxStreams(),
        "maxStreams",
        streams.maxStreams(),
        "at most "
            + windows.maxStreams()
            + ", which is maxUnread / 2 / initial of the windows; set larger windows first");
  }

  /// Limits of streams and their heads.
  ///
  /// @param maxStreams streams that the peer may have open; further streams are refused
  /// @param maxHeadSize bytes of a decoded head, plus 32 for each field. A server answers a larger
  ///   request head with 431; other heads, and trailers, above the limit reset the stream
  /// @param maxFields fields of a head or of trailers; the parts of a split Cookie field count as
  ///   one field
  /// @param maxDiscard bytes of an unread body that are dropped before the stream is reset
  /// @param headerTable maximum size of each compression table in bytes, 0 to 65,536
  public record StreamLimits(
      int maxStreams, int maxHeadSize, int maxFields, int maxDiscard, int headerTable) {

    /// 100 streams, 32 KiB, 100 fields, 64 KiB dropped, tables of 4 KiB.
    public static final StreamLimits DEFAULT =
        new StreamLimits(100, 32 << 10, 100, 64 << 10, 4 << 10);

    /// Checks the values.
    public StreamLimits {
      SettingCheck.require(maxStreams >= 1, "maxStreams", maxStreams, "1 or more");
      SettingCheck.require(
          maxHeadSize >= 256 && maxHeadSize <= 0xffff, "maxHeadSize", maxHeadSize, "256 to 65535");
      SettingCheck.require(maxFields >= 1, "maxFields", maxFields, "1 or more");
      SettingCheck.require(maxDiscard >= 0, "maxDiscard", maxDiscard, "0 or more");
      SettingCheck.require(
          headerTable >= 0 && headerTable <= 1 << 16, "headerTable", headerTable, "0 to 65536");
    }
  }

  /// How long a connection waits.
  ///
  /// @param head how long the peer may take for its first settings and for the acknowledgement of
  ///   ours. On a client also how long the server may take from the end of a request to the head of
  ///   the response
  /// @param keepAlive how long a connection may stay open without a stream
  /// @param pingInterval silence after which a ping is sent while streams are open; zero for never
  /// @param pingTimeout how long the peer may take to acknowledge a ping
  /// @param maxAge age at which a connection begins to drain; zero for never
  public record Timeouts(
      Duration head,
      Duration keepAlive,
      Duration pingInterval,
      Duration pingTimeout,
      Duration maxAge) {

    /// 10 s for heads and settings, 75 s idle, no pings, 20 s for an acknowledgement, no maximum
    /// age.
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(75),
            Duration.ZERO,
            Duration.ofSeconds(20),
            Duration.ZERO);

    /// Checks the values.
    public Timeouts {
      SettingCheck.require(head.isPositive(), "head", head, "more than zero");
      SettingCheck.require(keepAlive.isPositive(), "keepAlive", keepAlive, "more than zero");
      SettingCheck.require(!pingInterval.isNegative(), "pingInterval", pingInterval, "0 or more");
      SettingCheck.require(pingTimeout.isPositive(), "pingTimeout", pingTimeout, "more than zero");
      SettingCheck.require(!maxAge.isNegative(), "maxAge", maxAge, "0 or more");
    }
  }

  /// The defaults of each part.
  public static final Http2Settings DEFAULT =
      new Http2Settings(
          StreamLimits.DEFAULT,
          WindowSettings.DEFAULT,
          Timeouts.DEFAULT,
          BudgetSettings.DEFAULT,
          ExchangeLimits.DEFAULT);

  /// These settings with other limits of streams.
  public Http2Settings withStreams(StreamLimits other) {
    return new Http2Settings(other, windows, timeouts, budgets, exchanges);
  }

  /// These settings with other windows.
  public Http2Settings withWindows(WindowSettings other) {
    return new Http2Settings(streams, other, timeouts, budgets, exchanges);
  }

  /// These settings with other timeouts.
  public Http2Settings withTimeouts(Timeouts other) {
    return new Http2Settings(streams, windows, other, budgets, exchanges);
  }

  /// These settings with other budgets.
  public Http2Settings withBudgets(BudgetSettings other) {
    return new Http2Settings(streams, windows, timeouts, other, exchanges);
  }

  /// These settings with other limits of exchanges.
  public Http2Settings withExchanges(ExchangeLimits other) {
    return new Http2Settings(streams, windows, timeouts, budgets, other);
  }
}
