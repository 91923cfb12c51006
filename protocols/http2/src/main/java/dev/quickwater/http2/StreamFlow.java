package dev.quickwater.http2;

/// The flow-control state of one stream in both directions, and its place in a [Distributor].
///
/// - [SendFlow] and [ReceiveFlow] write the windows and counts. The distributor writes the offer
///   and the links. Subclasses write none of them.
/// - Small values are bytes: a stream with its exchange has a budget of 250 bytes.
abstract class StreamFlow {

  /// The urgency of a stream without a priority (RFC 9218 section 4.1).
  static final int DEFAULT_URGENCY = 3;

  /// The weight of a stream without a priority (RFC 7540 section 5.3.5).
  static final int DEFAULT_WEIGHT = 16;

  static final int MAX_WEIGHT = 256;

  /// Negative before the head of a client's request is sent, and final afterwards.
  int id;

  // ---- SendFlow ----

  /// Bytes that the peer accepts on this stream; negative after a smaller initial window (RFC 9113
  /// section 6.9.2).
  int sendWindow;

  /// The number of queued bytes.
  int queued;

  /// The end of the stream follows the queued bytes.
  boolean endQueued;

  /// True if the stream sends nothing more.
  boolean dropped;

  // ---- ReceiveFlow ----

  /// Bytes that the peer may send on this stream before the next WINDOW_UPDATE.
  int receiveWindow;

  /// Bytes that have arrived and that no reader has consumed.
  int unread;

  /// The size of the receive window. Bytes that are neither in `receiveWindow` nor in `unread` were
  /// consumed, and their credit was not announced yet.
  int receiveLimit;

  // ---- Distributor ----

  /// The number of bytes that the stream may send at present.
  int offered;

  /// The mark of the list or heap that contains the stream.
  byte place;

  /// The round of the uniform distributor in which the stream had its last turn.
  byte round;

  private byte weightLessOne = DEFAULT_WEIGHT - 1;
  byte urgency = DEFAULT_URGENCY;

  /// True if the stream shares its urgency with others. The default of RFC 9218 is false. Here it
  /// is true until the peer sends a priority, because a stream of a peer without priorities may be
  /// endless and would stop all later ones.
  boolean incremental = true;

  /// The position in a heap of the weighted distributor.
  int heapIndex;

  /// The virtual time at which the next bytes are due, in the weighted distributor.
  long due;

  /// The links of a [StreamList]; to this stream itself while it is in no list.
  StreamFlow next = this;

  StreamFlow previous = this;

  StreamFlow(int id) {
    this.id = id;
  }

  /// Sends queued bytes of this stream as DATA frames. Only [SendFlow] calls it, during
  /// [SendFlow#distribute]. It may call every method of SendFlow except `distribute`, for any
  /// stream.
  ///
  /// - END_STREAM is part of the last frame if the end was queued before the call. For an end that
  ///   is queued during the call, SendFlow calls `send` again with 0.
  /// - If a stream sends less than allowed, the output is full and the distribution ends.
  ///
  /// @param allowed the maximum number of bytes, at most the number of queued bytes; 0 for an empty
  ///   last frame
  /// @return the number of bytes that were sent
  abstract int send(int allowed);

  int weight() {
    return (weightLessOne & 0xff) + 1;
  }

  /// @param weight 1 to 256
  void weight(int weight) {
    weightLessOne = (byte) (weight - 1);
  }
}
