package dev.quickwater.channel;

import org.jspecify.annotations.Nullable;

/// How a channel ended.
///
/// @param kind who or what closed it
/// @param cause the failure, or null if nothing failed
public record Outcome(Kind kind, @Nullable Throwable cause) {

  /// Who or what closed a channel.
  public enum Kind {
    /// The program closed it.
    CLOSED,
    /// The peer ended the connection in order.
    PEER_ENDED,
    /// It was broken, exceeded a limit, or a handler failed.
    FAILED,
    /// Its loop ended.
    LOOP_ENDED
  }
}
