package dev.quickwater.http1;

import dev.quickwater.http.HttpStatus;

/// The peer broke a rule of HTTP/1.1: the status to answer with, and the fact. After it, nothing
/// more of the connection is read (RFC 9112 section 2.2 and the class of request smuggling). For a
/// fault of a response, the status is what a gateway answers to its client.
///
/// It has no stack trace, because a peer can cause it as often as it wants.
public final class Http1Exception extends Exception {

  private static final long serialVersionUID = 1;

  private final transient HttpStatus status;

  Http1Exception(HttpStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  static Http1Exception bad(String message) {
    return new Http1Exception(HttpStatus.BAD_REQUEST, message);
  }

  static Http1Exception badGateway(String message) {
    return new Http1Exception(HttpStatus.BAD_GATEWAY, message);
  }

  /// The status of the answer.
  public HttpStatus status() {
    return status;
  }
}
