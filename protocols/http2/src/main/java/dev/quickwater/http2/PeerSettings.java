package dev.quickwater.http2;

/// The settings of one side, usually of the peer (RFC 9113 section 6.5.2, RFC 8441 section 3). A
/// value applies from the SETTINGS frame that carries it. Until then the default of the protocol
/// applies.
final class PeerSettings {

  static final int HEADER_TABLE_SIZE = 1;
  static final int ENABLE_PUSH = 2;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;
  static final int ENABLE_CONNECT_PROTOCOL = 8;

  /// RFC 9218 section 2.1.
  static final int NO_RFC7540_PRIORITIES = 9;

  /// SETTINGS_HEADER_TABLE_SIZE of a peer that has sent none.
  static final int DEFAULT_TABLE = 4096;

  static final int DEFAULT_WINDOW = 65_535;

  private static final long UNLIMITED = 0xffff_ffffL;

  private long maxStreams = UNLIMITED;
  private int initialWindow = DEFAULT_WINDOW;
  private int maxFrameSize = Frames.MIN_MAX_SIZE;
  private long headerTableSize = DEFAULT_TABLE;
  private long maxHeaderListSize = UNLIMITED;
  private boolean push = true;
  private boolean connectProtocol;

  /// Sets one value. Unknown settings are ignored (section 6.5.2).
  ///
  /// @param fromServer true if the peer is a server, which must not enable push
  void set(int id, long value, boolean fromServer) throws Http2Exception {
    switch (id) {
      case HEADER_TABLE_SIZE -> headerTableSize = value;
      case ENABLE_PUSH -> push = flag(id, value, !fromServer);
      case MAX_CONCURRENT_STREAMS -> maxStreams = value;
      case INITIAL_WINDOW_SIZE -> {
        if (value > Integer.MAX_VALUE) {
          throw Http2Exception.connection(
              ErrorCode.FLOW_CONTROL_ERROR, "the initial window is " + value);
        }
        initialWindow = (int) value;
      }
      case MAX_FRAME_SIZE -> {
        if (value < Frames.MIN_MAX_SIZE || value > Frames.MAX_MAX_SIZE) {
          throw invalid(id, value);
        }
        maxFrameSize = (int) value;
      }
      case MAX_HEADER_LIST_SIZE -> maxHeaderListSize = value;
      case ENABLE_CONNECT_PROTOCOL -> {
        boolean enabled = flag(id, value, true);
        if (connectProtocol && !enabled) {
          throw invalid(id, value); // RFC 8441 section 3
        }
        connectProtocol = enabled;
      }
      default -> {}
    }
  }

  /// Sets ids and values in turn.
  void setAll(long[] idsAndValues, boolean fromServer) throws Http2Exception {
    for (int i = 0; i < idsAndValues.length; i += 2) {
      set((int) idsAndValues[i], idsAndValues[i + 1], fromServer);
    }
  }

  private static boolean flag(int id, long value, boolean mayBeOne) throws Http2Exception {
    if (value > 1 || value == 1 && !mayBeOne) {
      throw invalid(id, value);
    }
    return value == 1;
  }

  private static Http2Exception invalid(int id, long value) {
    return Http2Exception.connection(
        ErrorCode.PROTOCOL_ERROR, "setting " + id + " has the invalid value " + value);
  }

  /// Streams that this side may open at the same time.
  long maxStreams() {
    return maxStreams;
  }

  int initialWindow() {
    return initialWindow;
  }

  int maxFrameSize() {
    return maxFrameSize;
  }

  /// The size for our compression table: the peer's setting, or `limit` if that is smaller.
  int headerTableSize(int limit) {
    return (int) Math.min(headerTableSize, limit);
  }

  /// Advisory: the peer may refuse a larger field section (section 10.5.1).
  long maxHeaderListSize() {
    return maxHeaderListSize;
  }

  /// Sets the value of SETTINGS_ENABLE_PUSH.
  void push(boolean accepted) {
    push = accepted;
  }

  boolean acceptsPush() {
    return push;
  }

  /// True if the peer supports extended CONNECT.
  boolean connectProtocol() {
    return connectProtocol;
  }

  /// These values as a snapshot.
  Http2Status.Values values() {
    return new Http2Status.Values(
        maxStreams,
        initialWindow,
        maxFrameSize,
        headerTableSize,
        maxHeaderListSize,
        push,
        connectProtocol);
  }
}
