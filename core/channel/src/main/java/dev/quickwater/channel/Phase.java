package dev.quickwater.channel;

/// State of one phase of a channel: connecting or lingering. A channel has at most one, because a
/// connecting channel closes without lingering. Loop thread only.
sealed interface Phase permits ConnectAttempt, Linger {

  /// Ends the phase and cancels its timer. Any number of times.
  void end();
}
