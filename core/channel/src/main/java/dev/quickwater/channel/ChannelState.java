package dev.quickwater.channel;

/// Where a channel is in its life, as programs see it; [Lifecycle] has the transitions.
public enum ChannelState {
  /// Created; its initializer runs or has run.
  NEW,
  /// The connection is being made.
  CONNECTING,
  /// The channel accepts connections.
  LISTENING,
  /// The channel is connected; a direction may have ended.
  OPEN,
  /// The channel sends what was written and discards what still comes, then closes.
  LINGERING,
  /// The channel is closed. Its handlers are notified when no caller is on the stack.
  CLOSED
}
