package dev.quickwater.http2;

/// Divides the bytes that a connection may send among its streams.
///
/// - [#offer] sets how many bytes a stream may send at present: the smaller one of its window and
///   its queue. A stream that offers nothing is not in the distributor and costs no time.
/// - Empty last frames need no window and are sent first.
/// - Every method but `distribute` may be called from inside `distribute`, for any stream.
sealed interface Distributor permits UniformDistributor, WeightedDistributor {

  /// The minimum number of bytes of a turn, if the stream and the windows have as many: 1 KiB, of
  /// which the frame header is 1 %.
  int MIN_CHUNK = 1024;

  /// Sends bytes of a stream, then calls [#offer] with the number of bytes that it may send next.
  @FunctionalInterface
  interface Sender {
    /// @return the number of bytes that were sent, 0 to `allowed`
    int send(StreamFlow s, int allowed);
  }

  /// Sets how many bytes a stream may send; replaces the previous offer.
  ///
  /// @param emptyFrame true if the stream has an empty last frame to send; ignored if `bytes` is
  ///   above 0
  void offer(StreamFlow s, int bytes, boolean emptyFrame);

  /// Removes a stream.
  void remove(StreamFlow s);

  /// True if no stream may send.
  boolean isEmpty();

  /// Calls `sender` until `maxBytes` are sent, nothing is offered, or a stream sends less than it
  /// is allowed. Empty frames are sent even if `maxBytes` is 0.
  ///
  /// @return the number of bytes that were sent
  int distribute(int maxBytes, Sender sender);

  /// Sets the priority of a stream (RFC 9218 section 4).
  ///
  /// @param urgency 0 to 7, 0 is sent first
  void prioritize(StreamFlow s, int urgency, boolean incremental);

  /// Sets the share of a stream among those of its urgency.
  ///
  /// @param weight 1 to 256
  void weight(StreamFlow s, int weight);
}
