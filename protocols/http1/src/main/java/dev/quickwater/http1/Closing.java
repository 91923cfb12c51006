package dev.quickwater.http1;

/// How far a connection is on the way to its end.
///
/// ```
/// OPEN --close announced--> LAST_RESPONSE --response ended--> CLOSING --channel closed--> CLOSED
///   '----------------------violation, drain, timeout------------^  ^
/// (any) --abort--> CLOSED                                          '-- from LAST_RESPONSE as well
/// ```
///
/// A connection never returns to an earlier state.
enum Closing {
  OPEN,
  /// The current response, or the next one if none is open, is the last.
  LAST_RESPONSE,
  /// No further input is interpreted. Queued bytes are sent; then the connection lingers.
  CLOSING,
  /// Nothing more is sent.
  CLOSED;

  /// True if input is still interpreted.
  boolean interprets() {
    return this == OPEN || this == LAST_RESPONSE;
  }

  /// The later one of two states.
  Closing advance(Closing to) {
    return to.compareTo(this) > 0 ? to : this;
  }
}
