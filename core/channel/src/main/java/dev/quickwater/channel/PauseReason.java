package dev.quickwater.channel;

/// Why a channel does not read. Reading goes on when no reason is left, so that no part of a
/// program overrides another.
public enum PauseReason {
  /// The application asked for it.
  USER,
  /// What we have flushed and the kernel has not taken is too much. Only for the server side of
  /// request/response protocols: two peers that both did this would wait for each other.
  BACKLOG,
  /// The other channel of a proxy cannot take more.
  PEER,
  /// A request is being answered and its successor has to wait.
  EXCHANGE;

  @SuppressWarnings("EnumOrdinal") // a bit set that never leaves the process
  final int bit = 1 << ordinal();
}
