package dev.quickwater.http1;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// Limits and deadlines of an HTTP/1.1 connection; immutable, validated when created.
///
/// @param heads limits of heads, trailers and chunk lines
/// @param timeouts how long a connection waits for a head and between exchanges
/// @param input limits of input that nothing reads
/// @param exchanges the default limits of exchanges
/// @param halfClose true if a peer that has ended its direction still receives the response to a
///   complete request; otherwise the peer counts as gone
public record Http1Settings(
    HeadLimits heads,
    Timeouts timeouts,
    InputLimits input,
    ExchangeLimits exchanges,
    boolean halfClose) {

  /// How long a connection waits for a head and between exchanges.
  ///
  /// @param head how long a head may take: for a request from its first byte, for a response from
  ///   the end of the request
  /// @param keepAlive how long a connection may be idle
  public record Timeouts(Duration head, Duration keepAlive) {

    /// 10 s for a head, 75 s idle.
    public static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(75));

    /// Checks the values.
    public Timeouts {
      SettingCheck.require(head.isPositive(), "head", head, "more than zero");
      SettingCheck.require(keepAlive.isPositive(), "keepAlive", keepAlive, "more than zero");
    }
  }

  /// The defaults of each part; no half-close.
  public static final Http1Settings DEFAULT =
      new Http1Settings(
          HeadLimits.DEFAULT, Timeouts.DEFAULT, InputLimits.DEFAULT, ExchangeLimits.DEFAULT, false);

  /// These settings with other limits of heads.
  public Http1Settings withHeads(HeadLimits other) {
    return new Http1Settings(other, timeouts, input, exchanges, halfClose);
  }

  /// These settings with other timeouts.
  public Http1Settings withTimeouts(Duration head, Duration keepAlive) {
    return new Http1Settings(heads, new Timeouts(head, keepAlive), input, exchanges, halfClose);
  }

  /// These settings with other limits of unread input.
  public Http1Settings withInput(InputLimits other) {
    return new Http1Settings(heads, timeouts, other, exchanges, halfClose);
  }

  /// These settings with other limits of exchanges.
  public Http1Settings withExchanges(ExchangeLimits other) {
    return new Http1Settings(heads, timeouts, input, other, halfClose);
  }

  /// These settings with or without responses to peers that have ended their direction.
  public Http1Settings withHalfClose(boolean allowed) {
    return new Http1Settings(heads, timeouts, input, exchanges, allowed);
  }
}
