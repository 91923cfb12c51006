package dev.quickwater.channel;

/// Where a channel is in its life.
///
/// ```
///  NEW --connect--> CONNECTING --open--> OPEN --linger--> LINGERING
///   |                    |                |                   |
///   +--listen--> LISTENING                |                   |
///   +--open----------------------------> OPEN                 |
///   (each) --close-----------------------------------------> CLOSED
/// ```
///
/// Every pair that is not drawn is illegal and throws, except that closing what is closed does
/// nothing.
public enum ChannelState {
  NEW,
  CONNECTING,
  LISTENING,
  OPEN,
  /// We have ended our direction and discard what still comes, so that the peer can read our last
  /// words.
  LINGERING,
  CLOSED;

  /// What can happen to a channel.
  enum Event {
    CONNECT,
    LISTEN,
    OPEN,
    LINGER,
    CLOSE
  }

  ChannelState on(Event event) {
    return switch (event) {
      case CONNECT -> {
        require(this == NEW, event);
        yield CONNECTING;
      }
      case LISTEN -> {
        require(this == NEW, event);
        yield LISTENING;
      }
      case OPEN -> {
        require(this == NEW || this == CONNECTING, event);
        yield OPEN;
      }
      case LINGER -> {
        require(this == OPEN, event);
        yield LINGERING;
      }
      case CLOSE -> CLOSED;
    };
  }

  private void require(boolean legal, Event event) {
    if (!legal) {
      throw new IllegalStateException(event + " is illegal for a channel that is " + this);
    }
  }
}
