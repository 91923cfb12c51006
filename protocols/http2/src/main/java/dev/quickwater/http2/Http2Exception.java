package dev.quickwater.http2;

/// The peer has broken a rule: an error of the connection (RFC 9113 section 5.4.1), or of one
/// stream (section 5.4.2). A peer can cause it at will, so it has no stack trace.
final class Http2Exception extends Exception {

  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final int stream;

  private Http2Exception(ErrorCode code, int stream, String fact) {
    super(fact, null, false, false);
    this.code = code;
    this.stream = stream;
  }

  static Http2Exception connection(ErrorCode code, String fact) {
    return new Http2Exception(code, 0, fact);
  }

  static Http2Exception stream(int stream, ErrorCode code, String fact) {
    return new Http2Exception(code, stream, fact);
  }

  ErrorCode code() {
    return code;
  }

  /// The stream, or 0 for the connection.
  int stream() {
    return stream;
  }
}
