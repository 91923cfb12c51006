package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// The flow-control state of one stream in both directions, and its place in a [Distributor].
///
/// - [SendFlow] and [ReceiveFlow] write the windows and counts, the distributor writes what it was
///   offered and the links. The subclass writes none of them.
/// - Small values share bytes: a stream with its exchange has a budget of 250 bytes.
abstract class StreamFlow {

  /// The urgency of a stream without a priority (RFC 9218 section 4.1).
  static final int DEFAULT_URGENCY = 3;

  /// The weight of a stream without a priority (RFC 7540 section 5.3.5).
  static final int DEFAULT_WEIGHT = 16;

  static final int MAX_WEIGHT = 256;

  final int id;

  // ---- SendFlow ----

  /// Bytes that the peer accepts on this stream; negative after a smaller initial window (RFC 9113
  /// section 6.9.2).
  int sendWindow;

  /// Bytes that wait to be sent.
  int queued;

  /// The end of the stream follows the queued bytes.
  boolean endQueued;

  /// The stream sends nothing any more.
  boolean dropped;

  // ---- ReceiveFlow ----

  /// Bytes that the peer may send on this stream before the next WINDOW_UPDATE.
  int receiveWindow;

  /// Bytes that have arrived and that no reader has consumed.
  int unread;

  /// The size of the receive window. What is neither in `receiveWindow` nor in `unread` was
  /// consumed and waits to be announced.
  int receiveLimit;

  // ---- Distributor ----

  /// Bytes that the stream may send at present.
  int offered;

  /// The list or heap that contains the stream.
  byte place;

  /// The round of the uniform distributor in which the stream had its last turn.
  byte round;

  private byte weightLessOne = DEFAULT_WEIGHT - 1;
  byte urgency = DEFAULT_URGENCY;

  /// The stream shares its urgency with others. True until the peer sends a priority, although
  /// false is the default of RFC 9218: a peer that sends no priorities may have endless streams.
  boolean incremental = true;

  /// The position in a heap of the weighted distributor.
  int heapIndex;

  /// The virtual time at which the next bytes are due, in the weighted distributor.
  long due;

  @Nullable StreamFlow next;
  @Nullable StreamFlow previous;

  StreamFlow(int id) {
    this.id = id;
  }

  /// Sends bytes of the queue of this stream as DATA frames. It is called by [SendFlow] during
  /// [SendFlow#distribute] only, and may call every method of SendFlow but `distribute` for any
  /// stream.
  ///
  /// - END_STREAM is part of the last frame if the end was queued before the call. An end that is
  ///   queued during the call is sent by a further call with 0.
  /// - A stream that takes less than it is allowed ends the distribution: the output is full.
  ///
  /// @param allowed the maximum number of bytes, not above the number of queued bytes; 0 for an
  ///   empty last frame
  /// @return the number of bytes that were taken
  abstract int send(int allowed);

  int weight() {
    return (weightLessOne & 0xff) + 1;
  }

  /// @param weight 1 to 256
  void weight(int weight) {
    weightLessOne = (byte) (weight - 1);
  }
}
