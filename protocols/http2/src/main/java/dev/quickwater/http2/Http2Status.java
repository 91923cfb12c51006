package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// A snapshot of an HTTP/2 connection; immutable.
///
/// @param sent the settings that this side has sent
/// @param received the settings of the peer that apply; the defaults of the protocol until they
///   arrive
/// @param phase how far the settings were exchanged
/// @param streams open streams
/// @param trips how often the peer exceeded a budget, and which budget it exceeded last
public record Http2Status(Values sent, Values received, Phase phase, int streams, Trips trips) {

  /// How far the settings were exchanged.
  public enum Phase {
    /// The peer's settings have not arrived.
    NOTHING_RECEIVED,
    /// The peer's settings apply. The peer has not acknowledged ours.
    UNACKNOWLEDGED,
    /// The settings of both sides apply.
    ACKNOWLEDGED
  }

  /// The values of one side's settings (RFC 9113 section 6.5.2). A limit applies to the other side.
  ///
  /// @param maxStreams streams that the other side may open at the same time; 4,294,967,295 for no
  ///   limit
  /// @param initialWindow the initial window of a stream in bytes
  /// @param maxFrameSize maximum payload of a frame in bytes
  /// @param headerTable maximum size of the compression table in bytes
  /// @param maxHeaderList advisory maximum of decoded fields in bytes; 4,294,967,295 for no limit
  /// @param push true if pushed streams are accepted
  /// @param extendedConnect true if extended CONNECT is accepted (RFC 8441)
  public record Values(
      long maxStreams,
      int initialWindow,
      int maxFrameSize,
      long headerTable,
      long maxHeaderList,
      boolean push,
      boolean extendedConnect) {}

  /// Exceeded budgets.
  ///
  /// @param count how often a budget was exceeded
  /// @param last the component of [BudgetSettings] that was exceeded last; null for none
  public record Trips(long count, @Nullable String last) {}
}
