package dev.quickwater.http1;

/// Constants for a body that is not delimited by its length in bytes (RFC 9112 section 6.3).
final class Framing {

  /// The body has chunks.
  static final long CHUNKED = -1;

  /// The close of the connection ends the body: responses in HTTP/1.0, or to an HTTP/1.0 client.
  static final long UNTIL_CLOSE = -2;

  /// No framing field: 1xx, 204, 304, and requests without a body.
  static final long NONE = -3;

  private Framing() {}
}
