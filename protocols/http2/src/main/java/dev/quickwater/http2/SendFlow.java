package dev.quickwater.http2;

/// Send windows (RFC 9113 section 6.9) and the bytes that wait for them.
///
/// - A stream queues its bytes itself and reports their number. [#distribute] calls
///   [StreamFlow#send] for as many bytes as both windows allow, in the order of the [Distributor].
/// - The window of the connection is used before the queue of a stream shrinks, so no re-entrant
///   call spends bytes twice.
/// - A write that need not wait takes its bytes directly ([#take]), unless another stream waits for
///   its turn.
final class SendFlow {

  private final Distributor distributor;
  private final Distributor.Sender sender = this::send;

  /// The initial window of streams.
  private int initialWindow;

  /// The window of the connection.
  private int window = Windows.PROTOCOL_INITIAL;

  /// Bytes that wait, of all streams.
  private long queued;

  /// Bytes that wait and that windows of streams allow, of all streams.
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
  /// @return false if they must be queued: the stream or, for more than 0 bytes, another one waits,
  ///   or a window is too small. Nothing is taken then
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
  /// @param bytes bytes that were added to its queue
  /// @param end the end of the stream follows
  void queued(StreamFlow s, int bytes, boolean end) {
    if (bytes < 0 || s.endQueued || s.dropped) {
      throw new IllegalStateException(
          bytes + " bytes on stream " + s.id + ", which has ended, or less than none");
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

  /// The peer's SETTINGS_INITIAL_WINDOW_SIZE: changes the windows of open streams by the difference
  /// (RFC 9113 section 6.9.2). It costs time for each stream: of several values in one frame, only
  /// the last one needs a call.
  void initialWindow(int size, Iterable<? extends StreamFlow> open) throws Http2Exception {
    int change = Windows.changed(size, -initialWindow);
    initialWindow = size;
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

  /// Sends what the windows and `maxBytes` allow.
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

  /// True if bytes wait that a window does not allow at present.
  boolean isBlocked() {
    return queued > Math.min(offered, window);
  }

  /// Bytes of a stream that wait.
  int queued(StreamFlow s) {
    return s.queued;
  }

  /// Bytes that wait, of all streams.
  long queued() {
    return queued;
  }
}
