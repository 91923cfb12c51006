package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// The states of a stream (RFC 9113 section 5.1), seen from one side. Only pushed streams use
/// `RESERVED_...`.
///
/// ```
///                            IDLE
///       PROMISE_SENT /        | HEADERS_...      \ PROMISE_RECEIVED
///                   v         v                   v
///        RESERVED_LOCAL     OPEN            RESERVED_REMOTE
///                |        /        \               |
///   HEADERS_SENT |  END_RECEIVED  END_SENT         | HEADERS_RECEIVED
///                v      v            v             v
///          HALF_CLOSED_REMOTE     HALF_CLOSED_LOCAL
///                       \            /
///               END_SENT \          / END_RECEIVED
///                         v        v
///                           CLOSED   <--- RESET, from every state but IDLE
/// ```
///
/// A frame that ends a stream causes two events: HEADERS or DATA, then the end.
enum StreamState {
  IDLE(0),
  RESERVED_LOCAL(1),
  RESERVED_REMOTE(2),
  OPEN(3),
  HALF_CLOSED_LOCAL(4),
  HALF_CLOSED_REMOTE(5),
  CLOSED(6);

  /// The row of the table.
  private final int row;

  StreamState(int row) {
    this.row = row;
  }

  /// An event of a stream.
  enum Event {
    HEADERS_SENT(0),
    HEADERS_RECEIVED(1),
    DATA_SENT(2),
    DATA_RECEIVED(3),
    END_SENT(4),
    END_RECEIVED(5),
    PROMISE_SENT(6),
    PROMISE_RECEIVED(7),
    RESET_SENT(8),
    RESET_RECEIVED(9);

    /// The column of the table.
    private final int column;

    Event(int column) {
      this.column = column;
    }
  }

  /// By state and event; null for an impossible event.
  private static final @Nullable StreamState[][] NEXT =
      new @Nullable StreamState[values().length][Event.values().length];

  static {
    on(IDLE, Event.HEADERS_SENT, OPEN);
    on(IDLE, Event.HEADERS_RECEIVED, OPEN);
    on(IDLE, Event.PROMISE_SENT, RESERVED_LOCAL);
    on(IDLE, Event.PROMISE_RECEIVED, RESERVED_REMOTE);
    on(RESERVED_LOCAL, Event.HEADERS_SENT, HALF_CLOSED_REMOTE);
    on(RESERVED_REMOTE, Event.HEADERS_RECEIVED, HALF_CLOSED_LOCAL);
    // Interim responses and trailers are HEADERS, too.
    for (StreamState sends : new StreamState[] {OPEN, HALF_CLOSED_REMOTE}) {
      on(sends, Event.HEADERS_SENT, sends);
      on(sends, Event.DATA_SENT, sends);
    }
    for (StreamState receives : new StreamState[] {OPEN, HALF_CLOSED_LOCAL}) {
      on(receives, Event.HEADERS_RECEIVED, receives);
      on(receives, Event.DATA_RECEIVED, receives);
    }
    on(OPEN, Event.END_SENT, HALF_CLOSED_LOCAL);
    on(OPEN, Event.END_RECEIVED, HALF_CLOSED_REMOTE);
    on(HALF_CLOSED_REMOTE, Event.END_SENT, CLOSED);
    on(HALF_CLOSED_LOCAL, Event.END_RECEIVED, CLOSED);
    for (StreamState state : values()) {
      if (state != IDLE) {
        on(state, Event.RESET_SENT, CLOSED);
        on(state, Event.RESET_RECEIVED, CLOSED);
      }
    }
  }

  private static void on(StreamState state, Event event, StreamState next) {
    NEXT[state.row][event.column] = next;
  }

  /// True if the event is possible.
  boolean allows(Event event) {
    return next(event) != null;
  }

  /// The state after an event.
  ///
  /// @throws IllegalStateException if the event is impossible. Events of the peer must be checked
  ///   with [#refusal] first
  StreamState on(Event event) {
    @Nullable StreamState next = next(event);
    if (next == null) {
      throw new IllegalStateException(event + " is impossible in " + this);
    }
    return next;
  }

  private @Nullable StreamState next(Event event) {
    return NEXT[row][event.column];
  }

  /// Why a frame of the peer is refused in this state; null if it is allowed.
  ///
  /// - An idle stream is opened by HEADERS only: an error of the connection (section 5.1).
  /// - After the peer has ended its direction, DATA and HEADERS are STREAM_CLOSED.
  /// - On a reserved stream only HEADERS of the promising side, RST_STREAM, PRIORITY and
  ///   WINDOW_UPDATE are allowed.
  ///
  /// The connection decides how frames of a closed stream are treated, because that depends on why
  /// the stream was closed ([ClosedStreams]).
  @Nullable Http2Exception refusal(int stream, Event event) {
    if (allows(event)) {
      return null;
    }
    String fact = event + " on stream " + stream + ", which is " + this + " (RFC 9113 section 5.1)";
    return switch (this) {
      case HALF_CLOSED_REMOTE -> Http2Exception.stream(stream, ErrorCode.STREAM_CLOSED, fact);
      case CLOSED -> Http2Exception.connection(ErrorCode.STREAM_CLOSED, fact);
      case IDLE, RESERVED_LOCAL, RESERVED_REMOTE, OPEN, HALF_CLOSED_LOCAL ->
          Http2Exception.connection(ErrorCode.PROTOCOL_ERROR, fact);
    };
  }

  /// True while the peer may send DATA and HEADERS.
  boolean receives() {
    return this == OPEN || this == HALF_CLOSED_LOCAL;
  }

  /// True while this side may send DATA and HEADERS.
  boolean sends() {
    return this == OPEN || this == HALF_CLOSED_REMOTE;
  }
}
