package dev.quickwater.http2;

/// Divides what a connection may send among its streams.
///
/// - [#offer] sets what a stream may send at present: the lesser of its window and its queue. A
///   stream that offers nothing is not part of the distributor and costs no time.
/// - Empty last frames need no window and are sent first.
/// - Every method but `distribute` may be called from inside `distribute`, for any stream.
sealed interface Distributor permits UniformDistributor, WeightedDistributor {

  /// The minimum number of bytes that a stream sends before the next one has its turn, if the
  /// stream and the windows have as many: 1 KiB, 1 % of which is the header of the frame.
  int MIN_CHUNK = 1024;

  /// Sends for a stream, and offers what it may send afterwards.
  @FunctionalInterface
  interface Sender {
    /// @return the number of bytes that were sent, 0 to `allowed`
    int send(StreamFlow s, int allowed);
  }

  /// Sets what a stream may send; replaces what was offered before.
  ///
  /// @param emptyFrame the stream has an empty last frame to send; has no effect if there are bytes
  void offer(StreamFlow s, int bytes, boolean emptyFrame);

  /// Removes a stream.
  void remove(StreamFlow s);

  /// True if no stream may send.
  boolean isEmpty();

  /// Calls `sender` until `maxBytes` are sent, nothing is offered, or a stream has taken less than
  /// it was allowed. Empty frames are sent even if `maxBytes` is 0.
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
