package dev.quickwater.http;

/// Why an exchange was reset: the error codes of RFC 9113 section 7 that concern a stream. On
/// HTTP/1.1 a code never reaches the peer.
public enum ResetCode {
  NO_ERROR,
  CANCEL,
  /// The request was not processed and can be repeated safely.
  REFUSED,
  INTERNAL_ERROR,
  PROTOCOL_ERROR,
  FLOW_CONTROL_ERROR,
  CONNECT_ERROR,
  ENHANCE_YOUR_CALM,
  INADEQUATE_SECURITY,
  HTTP_1_1_REQUIRED,
  /// A code that is not in this list.
  OTHER
}
