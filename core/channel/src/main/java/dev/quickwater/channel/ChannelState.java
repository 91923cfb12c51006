package dev.quickwater.channel;

/// The state of a channel; [Lifecycle] has the transitions.
public enum ChannelState {
  /// The channel was created; its initializer runs or has run.
  NEW,
  /// The channel connects.
  CONNECTING,
  /// The channel accepts connections.
  LISTENING,
  /// The channel is connected. One direction may have ended.
  OPEN,
  /// The channel sends what was written, discards its input, then closes.
  LINGERING,
  /// The channel is closed. The handlers are notified when no caller is on the stack.
  CLOSED
}
