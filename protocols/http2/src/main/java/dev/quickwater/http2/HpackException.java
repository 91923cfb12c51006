package dev.quickwater.http2;

/// A header block that cannot be decoded: a connection error of type COMPRESSION_ERROR (RFC 9113
/// section 4.3). A peer can cause it at will, so it has no stack trace.
final class HpackException extends Exception {

  private static final long serialVersionUID = 1;

  HpackException(String fact) {
    super(fact, null, false, false);
  }
}
