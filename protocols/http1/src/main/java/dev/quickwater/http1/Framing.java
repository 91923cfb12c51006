package dev.quickwater.http1;

/// How a body is delimited where it is not by its length in bytes (RFC 9112 section 6.3).
final class Framing {

  /// The body has chunks.
  static final long CHUNKED = -1;

  /// The body ends when the connection closes: responses of and to HTTP/1.0.
  static final long UNTIL_CLOSE = -2;

  /// No framing field at all: 1xx, 204, 304, and requests without a body.
  static final long NONE = -3;

  private Framing() {}
}
