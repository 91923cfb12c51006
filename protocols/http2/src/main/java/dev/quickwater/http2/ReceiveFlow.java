package dev.quickwater.http2;

/// Receive windows (RFC 9113 section 6.9): how much the peer may send, and when it may send more.
///
/// - **Streams.** The credit of a stream returns when its reader consumes bytes. One WINDOW_UPDATE
///   announces it when half of the window is free.
/// - **The connection.** Its credit returns when bytes arrive, so a stalled stream does not stop
///   the others. Unread bytes of all streams never exceed [WindowSettings#maxUnread].
/// - **Growth.** The windows of streams double if at least two thirds of a window arrive between a
///   PING (the probe) and its acknowledgement: the sender then waits for credit, or soon will. The
///   growth of all streams together is bounded.
/// - **Probes** are sent after half a window of data, one at a time. After a probe without growth
///   the next one waits, twice as long each time, because peers limit PING frames. There are no
///   probes at the maximum window.
final class ReceiveFlow {

  /// The first pause after a probe without growth, in nanoseconds: 100 ms, a few round trips.
  private static final long PAUSE = 100_000_000;

  /// How often the pause is doubled at most: to 102 s.
  private static final int MAX_DOUBLINGS = 10;

  private final WindowSettings settings;

  /// The window of new streams.
  private int initial;

  /// The size to which the window of a stream grows when its reader consumes bytes.
  private int target;

  /// Bytes that the peer may send on the connection.
  private int window = Windows.PROTOCOL_INITIAL;

  /// Bytes that have arrived and that no reader has consumed, of all streams.
  private int unread;

  /// The number of bytes by which the windows of open streams exceed the initial window, in total.
  private int growth;

  // ---- probe ----

  private long arrived;
  private long arrivedAtProbe;
  private boolean probing;

  /// Probes without growth since the last one with growth, at most [#MAX_DOUBLINGS].
  private byte fruitless;

  private long nextProbe;

  /// @param protocolInitial the window of streams until our settings are acknowledged
  ReceiveFlow(int protocolInitial, WindowSettings settings) {
    this.settings = settings;
    this.initial = protocolInitial;
    this.target = protocolInitial;
  }

  /// The increment of the connection's window to announce right after the preface; 0 for none.
  int connectionStart() {
    int increment = settings.connection() - window;
    window += increment;
    return increment;
  }

  /// Gives a new stream its initial window.
  void open(StreamFlow s) {
    s.receiveWindow = initial;
    s.receiveLimit = initial;
  }

  /// The peer has acknowledged our settings: the windows of open streams change by the difference
  /// (RFC 9113 section 6.9.2).
  void acknowledged(Iterable<? extends StreamFlow> open) {
    int change = settings.initial() - initial;
    initial = settings.initial();
    target = Math.max(target, initial);
    if (change == 0) {
      return;
    }
    for (StreamFlow s : open) {
      s.receiveWindow = Windows.changed(s.receiveWindow, change);
      s.receiveLimit = Windows.changed(s.receiveLimit, change);
    }
  }

  /// Counts the payload of a DATA frame, padding included (RFC 9113 section 6.1).
  ///
  /// @throws Http2Exception of the connection or of the stream, FLOW_CONTROL_ERROR, if there are
  ///   more bytes than the window. After an error of the stream the bytes are not unread: the
  ///   caller discards them
  void received(StreamFlow s, int bytes) throws Http2Exception {
    receivedUnknown(bytes);
    if (bytes > s.receiveWindow) {
      throw Http2Exception.stream(
          s.id,
          ErrorCode.FLOW_CONTROL_ERROR,
          bytes + " bytes on stream " + s.id + ", whose window is " + s.receiveWindow);
    }
    s.receiveWindow -= bytes;
    s.unread += bytes;
    unread += bytes;
    arrived += bytes;
  }

  /// Counts the payload of a DATA frame on a closed stream. Only the window of the connection
  /// shrinks; [#connectionIncrement] returns the credit at once.
  void receivedUnknown(int bytes) throws Http2Exception {
    if (bytes > window) {
      throw Http2Exception.connection(
          ErrorCode.FLOW_CONTROL_ERROR, bytes + " bytes on a connection whose window is " + window);
    }
    window -= bytes;
  }

  /// A reader has consumed bytes.
  ///
  /// @return the increment of the stream's window to announce now; 0 for none. The caller ignores
  ///   it if the peer has ended the stream
  int consumed(StreamFlow s, int bytes) {
    take(s, bytes);
    int free = s.receiveLimit - s.receiveWindow - s.unread;
    if (free == 0 || free < s.receiveLimit >>> 1) {
      return 0;
    }
    int larger = Math.min(target - s.receiveLimit, settings.maxGrowth() - growth);
    if (larger > 0) {
      growth += larger;
      s.receiveLimit += larger;
      free += larger;
    }
    s.receiveWindow += free;
    return free;
  }

  private void take(StreamFlow s, int bytes) {
    s.unread = Windows.less(s.unread, bytes, s.id);
    unread -= bytes;
  }

  /// Unread bytes of a closed stream were released: credit for the connection only.
  void discarded(StreamFlow s, int bytes) {
    take(s, bytes);
  }

  /// A stream has closed: its growth is available to others. Its unread bytes count until they are
  /// consumed or discarded.
  void closed(StreamFlow s) {
    growth -= Math.max(0, s.receiveLimit - initial);
    s.receiveLimit = Math.min(s.receiveLimit, initial);
  }

  /// The increment of the connection's window to announce now; 0 for none. Called after bytes have
  /// arrived, and after bytes were consumed or discarded.
  int connectionIncrement() {
    int wanted = Math.min(settings.connection(), settings.maxUnread() - unread);
    int increment = wanted - window;
    // Announced in steps of at least half of the wanted window, even if stalled streams leave only
    // a few bytes.
    if (increment <= 0 || increment < wanted - increment) {
      return 0;
    }
    window = wanted;
    return increment;
  }

  // ---- probe of bandwidth and delay ----

  /// True if a PING frame should measure the product of bandwidth and delay.
  ///
  /// @param now the time in nanoseconds
  boolean wantsProbe(long now) {
    return !probing
        && initial == settings.initial() // otherwise the acknowledgement makes windows larger
        && target < settings.max()
        && arrived - arrivedAtProbe >= target >>> 1
        && (fruitless == 0 || now - nextProbe >= 0);
  }

  /// The PING frame was sent.
  void probeSent(long now) {
    probing = true;
    arrivedAtProbe = arrived;
  }

  /// The PING frame was acknowledged.
  void probeAcknowledged(long now) {
    if (!probing) {
      return;
    }
    probing = false;
    long during = arrived - arrivedAtProbe;
    arrivedAtProbe = arrived;
    if (during >= target * 2L / 3) {
      target = (int) Math.min(target * 2L, settings.max());
      fruitless = 0;
    } else {
      nextProbe = now + (PAUSE << fruitless);
      fruitless = (byte) Math.min(fruitless + 1, MAX_DOUBLINGS);
    }
  }

  /// The size to which the window of a stream grows when its reader consumes bytes.
  int target() {
    return target;
  }

  /// Bytes that have arrived and that no reader has consumed, of all streams.
  long unread() {
    return unread;
  }

  /// Bytes that the peer may send on the connection.
  int window() {
    return window;
  }
}
