package dev.quickwater.http2;

/// A header block cannot be decoded: a connection error of type COMPRESSION_ERROR (RFC 9113 section
/// 4.3). The exception has no stack trace, because a peer can cause it at will.
final class HpackException extends Exception {

  private static final long serialVersionUID = 1;

  HpackException(String fact) {
    super(fact, null, false, false);
  }
}
