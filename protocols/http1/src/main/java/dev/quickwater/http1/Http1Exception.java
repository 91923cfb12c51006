package dev.quickwater.http1;

import dev.quickwater.http.HttpStatus;

/// The peer violated HTTP/1.1. The exception has the status of the response and the fact. No
/// further byte of the connection is interpreted (RFC 9112 section 2.2, and to prevent request
/// smuggling). If a response is malformed, the status is the one that a gateway sends to its
/// client.
///
/// The message is for logs: it also names the setting of a limit. The exception has no stack trace,
/// because a peer can cause it at will.
public final class Http1Exception extends Exception {

  private static final long serialVersionUID = 1;

  private final transient HttpStatus status;
  private final String fact;

  Http1Exception(HttpStatus status, String fact) {
    this(status, fact, fact);
  }

  private Http1Exception(HttpStatus status, String fact, String message) {
    super(message, null, false, false);
    this.status = status;
    this.fact = fact;
  }

  static Http1Exception bad(String fact) {
    return new Http1Exception(HttpStatus.BAD_REQUEST, fact);
  }

  static Http1Exception badGateway(String fact) {
    return new Http1Exception(HttpStatus.BAD_GATEWAY, fact);
  }

  /// A limit was exceeded.
  ///
  /// @param setting the name of the limit, for the log alone
  static Http1Exception limit(HttpStatus status, String fact, String setting) {
    return new Http1Exception(status, fact, fact + " (" + setting + ")");
  }

  /// This exception as the fault of a server, for a gateway.
  Http1Exception asBadGateway() {
    return status == HttpStatus.BAD_GATEWAY
        ? this
        : new Http1Exception(HttpStatus.BAD_GATEWAY, fact, String.valueOf(getMessage()));
  }

  /// The status of the response.
  public HttpStatus status() {
    return status;
  }

  /// The fact, for the peer. The text names no setting.
  public String fact() {
    return fact;
  }
}
