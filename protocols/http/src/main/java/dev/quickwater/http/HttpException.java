package dev.quickwater.http;

/// A failure that has the status of the response. The message is sent to the peer, so it names no
/// internals.
public class HttpException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient HttpStatus status;
  private final transient HttpHeaders headers;

  /// A failure whose response has `status`, and `message` as text.
  ///
  /// @throws IllegalArgumentException if `status` is informational
  public HttpException(HttpStatus status, String message) {
    this(status, message, HttpHeaders.EMPTY);
  }

  /// A failure whose response has further fields, such as Retry-After.
  ///
  /// @throws IllegalArgumentException if `status` is informational
  public HttpException(HttpStatus status, String message, HttpHeaders headers) {
    super(message);
    if (status.isInformational()) {
      throw new IllegalArgumentException(status + " does not end an exchange");
    }
    this.status = status;
    this.headers = headers;
  }

  /// The status of the response.
  public HttpStatus status() {
    return status;
  }

  /// Further fields of the response.
  public HttpHeaders headers() {
    return headers;
  }
}
