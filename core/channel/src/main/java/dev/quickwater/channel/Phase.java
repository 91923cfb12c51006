package dev.quickwater.channel;

/// What exists only during one phase of a channel's life. No channel has two at a time: one that
/// connects closes instead of lingering. Loop thread only.
sealed interface Phase permits ConnectAttempt, Linger {

  /// The phase is over: its timer does not fire. Any number of times.
  void end();
}
