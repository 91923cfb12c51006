package dev.quickwater.http2;

/// Send windows (RFC 9113 section 6.9) and the bytes that wait for them.
///
/// - A stream queues its bytes and reports their number. [#distribute] calls [StreamFlow#send] for
///   the bytes that both windows allow, in the order of the [Distributor].
/// - The connection's window shrinks before [StreamFlow#send] is called, so a re-entrant call
///   cannot spend the same bytes again.
/// - The distributor is uniform until the peer sets a priority, because the weighted one costs
///   heaps of streams.
/// - A write that fits the windows takes its bytes directly ([#take]), unless another stream waits.
final class SendFlow {

  private Distributor distributor;
  private final Distributor.Sender sender = this::send;

  /// The initial window of streams.
  private int initialWindow;

  /// The window of the connection.
  private int window = Windows.PROTOCOL_INITIAL;

  /// The number of queued bytes of all streams.
  private long queued;

  /// The part of [#queued] that the windows of the streams allow.
  private long offered;

  /// @param initialWindow the peer's SETTINGS_INITIAL_WINDOW_SIZE
  SendFlow(Distributor distributor, int initialWindow) {
    this.distributor = distributor;
    this.initialWindow = initialWindow;
  }

  /// Gives a new stream its initial window.
  void open(StreamFlow s) {
    s.sendWindow = initialWindow;
  }

  /// Takes bytes that can be sent at once.
  ///
  /// @return false if the bytes must be queued, because this stream or (for more than 0 bytes)
  ///   another one waits, or a window is too small. Then nothing is taken
  boolean take(StreamFlow s, int bytes) {
    if (s.queued > 0 || s.endQueued || s.dropped) {
      return false;
    }
    if (bytes > 0) {
      if (bytes > s.sendWindow || bytes > window || !distributor.isEmpty()) {
        return false;
      }
      s.sendWindow -= bytes;
      window -= bytes;
    }
    return true;
  }

  /// Notes that a stream has more to send.
  ///
  /// @param bytes the number of bytes that were added to the queue
  /// @param end true if the end of the stream follows the bytes
  void queued(StreamFlow s, int bytes, boolean end) {
    if (bytes < 0 || s.endQueued || s.dropped) {
      throw new IllegalStateException(
          "stream " + s.id + " has ended, or the number of bytes is negative: " + bytes);
    }
    s.queued = Math.addExact(s.queued, bytes);
    queued += bytes;
    s.endQueued = end;
    offer(s);
  }

  private void offer(StreamFlow s) {
    int may = Math.max(0, Math.min(s.sendWindow, s.queued));
    offered += may - s.offered;
    distributor.offer(s, may, s.endQueued && s.queued == 0);
  }

  /// A WINDOW_UPDATE frame of a stream.
  void increased(StreamFlow s, int increment) throws Http2Exception {
    if (Windows.overflows(s.sendWindow, increment)) {
      throw Http2Exception.stream(
          s.id,
          ErrorCode.FLOW_CONTROL_ERROR,
          overflow("the window of stream " + s.id, s.sendWindow, increment));
    }
    s.sendWindow = Windows.changed(s.sendWindow, increment);
    if (s.queued > 0) {
      offer(s);
    }
  }

  /// A WINDOW_UPDATE frame of the connection.
  void increased(int increment) throws Http2Exception {
    if (Windows.overflows(window, increment)) {
      throw Http2Exception.connection(
          ErrorCode.FLOW_CONTROL_ERROR,
          overflow("the window of the connection", window, increment));
    }
    window = Windows.changed(window, increment);
  }

  /// Applies the peer's SETTINGS_INITIAL_WINDOW_SIZE: changes the windows of open streams by the
  /// difference (RFC 9113 section 6.9.2). The cost is linear in the number of streams. If a frame
  /// has several values, only the last one needs a call.
  void initialWindow(int size, Iterable<? extends StreamFlow> open) throws Http2Exception {
    int change = Windows.changed(size, -initialWindow);
    initialWindow = size;
    if (change == 0) {
      return;
    }
    for (StreamFlow s : open) {
      if (Windows.overflows(s.sendWindow, change)) {
        throw Http2Exception.connection(
            ErrorCode.FLOW_CONTROL_ERROR,
            overflow("the window of stream " + s.id, s.sendWindow, change)
                + " of the initial window (RFC 9113 section 6.9.2)");
      }
      s.sendWindow = Windows.changed(s.sendWindow, change);
      if (s.queued > 0) {
        offer(s);
      }
    }
  }

  private static String overflow(String what, int window, int change) {
    return what + " is " + window + " and would exceed 2^31-1 by an increase of " + change;
  }

  /// Sets the priority of a stream (RFC 9218 section 4). Not from inside [#distribute].
  ///
  /// @param urgency 0 to 7
  void prioritize(StreamFlow s, int urgency, boolean incremental) {
    if (distributor instanceof UniformDistributor uniform) {
      distributor = uniform.toWeighted();
    }
    distributor.prioritize(s, urgency, incremental);
  }

  /// Sends up to `maxBytes`, as far as the windows allow.
  ///
  /// @return the number of bytes that were sent
  int distribute(int maxBytes) {
    int allowed = Math.max(0, Math.min(maxBytes, window));
    return distributor.distribute(allowed, sender);
  }

  private int send(StreamFlow s, int may) {
    boolean ends = s.endQueued;
    // A write from inside an earlier send may have taken bytes of the window.
    int allowed = Math.min(may, window);
    if (may > 0 && allowed <= 0) {
      return 0;
    }
    // Until the stream returns, no other stream can spend these bytes.
    window -= allowed;
    int sent = s.send(allowed);
    if (sent < 0 || sent > allowed) {
      throw new IllegalStateException(
          "stream " + s.id + " sent " + sent + " of at most " + allowed + " bytes");
    }
    window += allowed - sent;
    if (!s.dropped) {
      s.sendWindow -= sent;
      s.queued -= sent;
      queued -= sent;
      if (ends && s.queued == 0) {
        s.endQueued = false;
      }
      offer(s);
    }
    return sent;
  }

  /// The stream was reset or closed: its queued bytes are gone.
  void dropped(StreamFlow s) {
    s.dropped = true;
    queued -= s.queued;
    offered -= s.offered;
    s.queued = 0;
    s.endQueued = false;
    distributor.remove(s);
  }

  /// The window of the connection.
  int window() {
    return window;
  }

  /// The window of a stream; negative after a smaller initial window.
  int window(StreamFlow s) {
    return s.sendWindow;
  }

  /// True if queued bytes wait for a window.
  boolean isBlocked() {
    return queued > Math.min(offered, window);
  }

  /// The number of queued bytes of a stream.
  int queued(StreamFlow s) {
    return s.queued;
  }

  /// The number of queued bytes of all streams.
  long queued() {
    return queued;
  }
}
