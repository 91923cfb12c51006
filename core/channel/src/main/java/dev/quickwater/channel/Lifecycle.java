package dev.quickwater.channel;

import java.util.Arrays;

/// The state machine of a channel. Each pair of state and event yields the next state and one
/// action. The caller performs the action.
///
/// ```
///  NEW -connect-> CONNECTING -open-> OPEN -input ended-> INPUT_ENDED
///   |                                 |                       |
///   |                            end output               end output
///   |                                 v                       v
///   |                           OUTPUT_ENDING -input ended-> LAST_OUTPUT -output ended-> CLOSED
///   |                                 |
///   |                            output ended
///   |                                 v
///   |                           OUTPUT_ENDED -input ended-> BOTH_ENDED
///   +-open----> OPEN
///   +-listen--> LISTENING
///
///  (each that sends) -linger-> LINGER_SENDING or LINGER_LAST_OUTPUT
///  LINGER_SENDING -output ended-> LINGER_WAITING -input ended-> CLOSED
///  LINGER_SENDING -input ended-> LINGER_LAST_OUTPUT -output ended-> CLOSED
///  (each) -close-> CLOSED
/// ```
///
/// The table below also has the pairs that are not drawn. A pair that is not in the table is
/// illegal and throws.
enum Lifecycle {
  NEW(ChannelState.NEW),
  CONNECTING(ChannelState.CONNECTING),
  LISTENING(ChannelState.LISTENING),
  OPEN(ChannelState.OPEN),
  /// The peer has ended its direction; we still write.
  INPUT_ENDED(ChannelState.OPEN),
  /// Our direction ends when everything is sent.
  OUTPUT_ENDING(ChannelState.OPEN),
  /// Our direction has ended; the peer still writes.
  OUTPUT_ENDED(ChannelState.OPEN),
  /// The peer has ended, and our direction ends when everything is sent.
  LAST_OUTPUT(ChannelState.OPEN),
  /// Both directions have ended; the handlers are being notified.
  BOTH_ENDED(ChannelState.OPEN),
  LINGER_SENDING(ChannelState.LINGERING),
  LINGER_LAST_OUTPUT(ChannelState.LINGERING),
  LINGER_WAITING(ChannelState.LINGERING),
  CLOSED(ChannelState.CLOSED);

  /// An event of a channel.
  enum Event {
    CONNECT,
    LISTEN,
    OPEN,
    INPUT_ENDED,
    /// The request to end our direction.
    END_OUTPUT,
    /// The transport has sent everything and ended our direction.
    OUTPUT_ENDED,
    LINGER,
    CLOSE
  }

  /// An action of the caller.
  enum Action {
    NOTHING,
    CONNECT,
    /// Notify the handlers that the channel is active, then read.
    ACTIVATE,
    REPORT_INPUT_ENDED,
    /// Send what was written, then end our direction.
    END_OUTPUT,
    /// Like [#END_OUTPUT], and discard the input.
    LINGER,
    /// Wait for the peer's end, with limits.
    AWAIT_PEER,
    /// Close the transport of a channel that was never active.
    CLOSE,
    /// Close the transport of a channel that is active.
    CLOSE_ACTIVE
  }

  /// The result of an event.
  record Step(Lifecycle next, Action action) {}

  private static final Step ILLEGAL = new Step(CLOSED, Action.NOTHING);
  private static final Step[][] TABLE = table();

  /// The public form of this state.
  final ChannelState visible;

  Lifecycle(ChannelState visible) {
    this.visible = visible;
  }

  /// True while messages can be written.
  boolean takesWrites() {
    return this == OPEN || this == INPUT_ENDED;
  }

  /// True while input goes to the handlers.
  boolean delivers() {
    return visible == ChannelState.OPEN || this == LISTENING;
  }

  /// True while more input for the handlers may arrive.
  boolean reads() {
    return this == OPEN || this == OUTPUT_ENDING || this == OUTPUT_ENDED || this == LISTENING;
  }

  /// True between the events active and inactive.
  boolean isActive() {
    return visible == ChannelState.OPEN
        || visible == ChannelState.LISTENING
        || visible == ChannelState.LINGERING;
  }

  /// The result of an event in this state.
  ///
  /// @throws IllegalStateException if the pair is illegal
  @SuppressWarnings("EnumOrdinal") // the index of a table that never leaves the class
  Step on(Event event) {
    Step step = TABLE[ordinal()][event.ordinal()];
    if (step == ILLEGAL) {
      throw new IllegalStateException(event + " is illegal for a channel that is " + this);
    }
    return step;
  }

  private static Step[][] table() {
    Step[][] table = new Step[values().length][Event.values().length];
    for (Step[] row : table) {
      Arrays.fill(row, ILLEGAL);
    }
    return table;
  }

  static {
    put(NEW, Event.CONNECT, CONNECTING, Action.CONNECT);
    put(NEW, Event.LISTEN, LISTENING, Action.ACTIVATE);
    put(NEW, Event.OPEN, OPEN, Action.ACTIVATE);
    put(CONNECTING, Event.OPEN, OPEN, Action.ACTIVATE);

    put(OPEN, Event.INPUT_ENDED, INPUT_ENDED, Action.REPORT_INPUT_ENDED);
    put(OPEN, Event.END_OUTPUT, OUTPUT_ENDING, Action.END_OUTPUT);
    put(INPUT_ENDED, Event.END_OUTPUT, LAST_OUTPUT, Action.END_OUTPUT);
    put(OUTPUT_ENDING, Event.INPUT_ENDED, LAST_OUTPUT, Action.REPORT_INPUT_ENDED);
    put(OUTPUT_ENDING, Event.OUTPUT_ENDED, OUTPUT_ENDED, Action.NOTHING);
    put(LAST_OUTPUT, Event.OUTPUT_ENDED, CLOSED, Action.CLOSE_ACTIVE);
    put(OUTPUT_ENDED, Event.INPUT_ENDED, BOTH_ENDED, Action.REPORT_INPUT_ENDED);

    put(OPEN, Event.LINGER, LINGER_SENDING, Action.LINGER);
    put(INPUT_ENDED, Event.LINGER, LINGER_LAST_OUTPUT, Action.LINGER);
    put(OUTPUT_ENDING, Event.LINGER, LINGER_SENDING, Action.LINGER);
    put(LAST_OUTPUT, Event.LINGER, LINGER_LAST_OUTPUT, Action.LINGER);
    put(OUTPUT_ENDED, Event.LINGER, LINGER_WAITING, Action.AWAIT_PEER);
    put(LINGER_SENDING, Event.INPUT_ENDED, LINGER_LAST_OUTPUT, Action.NOTHING);
    put(LINGER_SENDING, Event.OUTPUT_ENDED, LINGER_WAITING, Action.AWAIT_PEER);
    put(LINGER_LAST_OUTPUT, Event.OUTPUT_ENDED, CLOSED, Action.CLOSE_ACTIVE);
    put(LINGER_WAITING, Event.INPUT_ENDED, CLOSED, Action.CLOSE_ACTIVE);

    for (Lifecycle state : values()) {
      Action close =
          state == CLOSED ? Action.NOTHING : state.isActive() ? Action.CLOSE_ACTIVE : Action.CLOSE;
      put(state, Event.CLOSE, CLOSED, close);
      if (TABLE[index(state)][index(Event.LINGER)] == ILLEGAL) {
        // A lingering channel continues. Any other channel has nothing left to send and closes.
        boolean lingers = state.visible == ChannelState.LINGERING;
        put(state, Event.LINGER, lingers ? state : CLOSED, lingers ? Action.NOTHING : close);
      }
      if (TABLE[index(state)][index(Event.END_OUTPUT)] == ILLEGAL) {
        put(state, Event.END_OUTPUT, state, Action.NOTHING);
      }
    }
    // An initializer or a handler may have closed the channel before this event.
    for (Event event : Event.values()) {
      put(CLOSED, event, CLOSED, Action.NOTHING);
    }
  }

  private static void put(Lifecycle state, Event event, Lifecycle next, Action action) {
    TABLE[index(state)][index(event)] = new Step(next, action);
  }

  @SuppressWarnings("EnumOrdinal") // the index of a table that never leaves the class
  private static int index(Enum<?> value) {
    return value.ordinal();
  }
}
