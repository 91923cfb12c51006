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
    /// The peer ended the connection regularly.
    PEER_ENDED,
    /// The connection broke, the channel exceeded a limit, or a handler failed.
    FAILED,
    /// Its loop ended.
    LOOP_ENDED;

    @SuppressWarnings("ImmutableEnumChecker") // a record without a cause does not change
    private final Outcome withoutCause = new Outcome(this, null);
  }

  /// One shared instance per kind if there is no failure, as for most channels.
  static Outcome of(Kind kind, @Nullable Throwable cause) {
    return cause == null ? kind.withoutCause : new Outcome(kind, cause);
  }
}
