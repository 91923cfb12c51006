package dev.quickwater.http2;

/// Receive windows (RFC 9113 section 6.9): what the peer may send, and when it may send more.
///
/// - **Streams.** The credit of a stream returns when its reader consumes bytes. It is announced
///   when half of the window is free: one WINDOW_UPDATE for half a window.
/// - **The connection.** Its credit returns on receipt, so a stalled stream does not stop the
///   others. The peer can never send more than [WindowSettings#maxUnread] bytes beyond what readers
///   have consumed.
/// - **Growth.** The window of a stream doubles while at least two thirds of it arrive between a
///   PING and its acknowledgement: then the sender waits for windows, or is about to. The growth of
///   all streams together is bounded.
/// - **Probes** need an amount of data that fills half a window, one is under way at a time, and
///   after one without growth the next one waits, twice as long each time. At the maximum there are
///   none. Peers count PING frames.
final class ReceiveFlow {

  /// The first pause after a probe without growth, in nanoseconds: 100 ms, some round trips.
  private static final long PAUSE = 100_000_000;

  /// The maximum number of times that the pause is doubled: to 102 s.
  private static final int MAX_DOUBLINGS = 10;

  private final WindowSettings settings;

  /// The window of new streams.
  private int initial;

  /// The window of streams that have consumed something.
  private int target;

  /// Bytes that the peer may send on the connection.
  private int window = Windows.PROTOCOL_INITIAL;

  /// Bytes that have arrived and that no reader has consumed, of all streams.
  private int unread;

  /// The sum of what the windows of open streams exceed the initial window.
  private int growth;

  // ---- probe ----

  private long arrived;
  private long arrivedAtProbe;
  private boolean probing;

  /// Probes without growth since the last one with growth.
  private int fruitless;

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

  /// Counts the payload of a DATA frame on a stream that is closed: in the window of the
  /// connection, which receives it back at once.
  void receivedUnknown(int bytes) throws Http2Exception {
    if (bytes > window) {
      throw Http2Exception.connection(
          ErrorCode.FLOW_CONTROL_ERROR, bytes + " bytes on a connection whose window is " + window);
    }
    window -= bytes;
  }

  /// A reader has consumed bytes.
  ///
  /// @return the increment of the stream's window to announce at once; 0 for none. It has no use if
  ///   the peer has ended the stream
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

  /// A stream has ended and is not open any more: its growth is available to others. Bytes that are
  /// unread still count until they are consumed or discarded.
  void closed(StreamFlow s) {
    growth -= Math.max(0, s.receiveLimit - initial);
    s.receiveLimit = Math.min(s.receiveLimit, initial);
  }

  /// The increment of the connection's window to announce at once; 0 for none. To be called after
  /// bytes have arrived, and after bytes were consumed or discarded.
  int connectionIncrement() {
    int wanted = Math.min(settings.connection(), settings.maxUnread() - unread);
    int increment = wanted - window;
    // At least half of what is wanted: of a single byte too, if stalled streams leave no more.
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
      nextProbe = now + (PAUSE << Math.min(fruitless, MAX_DOUBLINGS));
      fruitless++;
    }
  }

  /// The window of streams that have consumed something.
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
