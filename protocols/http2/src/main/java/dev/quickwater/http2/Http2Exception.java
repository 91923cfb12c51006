package dev.quickwater.http2;

/// The peer has violated a rule: an error of the connection (RFC 9113 section 5.4.1), which then
/// cannot continue, or of one stream (section 5.4.2), after which other streams continue. The
/// exception has no stack trace, because a peer can cause it at will.
///
/// The message names no internals, because it may be sent to the peer as the debug data of GOAWAY.
public final class Http2Exception extends Exception {

  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final int stream;

  private Http2Exception(ErrorCode code, int stream, String fact) {
    super(fact, null, false, false);
    this.code = code;
    this.stream = stream;
  }

  /// An error of the connection.
  public static Http2Exception connection(ErrorCode code, String fact) {
    return new Http2Exception(code, 0, fact);
  }

  /// An error of one stream.
  ///
  /// @param stream 1 or more
  public static Http2Exception stream(int stream, ErrorCode code, String fact) {
    return new Http2Exception(code, stream, fact);
  }

  /// The code to send, in GOAWAY or RST_STREAM.
  public ErrorCode code() {
    return code;
  }

  /// The stream, or 0 for the connection.
  public int stream() {
    return stream;
  }
}
