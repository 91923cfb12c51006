package dev.quickwater.http;

/// A failure with the status to answer with. Its message is sent to the peer, so it names no
/// internals.
public class HttpException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient HttpStatus status;
  private final transient HttpHeaders headers;

  /// A failure that is answered with `status` and `message` as text.
  ///
  /// @throws IllegalArgumentException if `status` is informational
  public HttpException(HttpStatus status, String message) {
    this(status, message, HttpHeaders.EMPTY);
  }

  /// A failure whose answer has further fields, such as Retry-After.
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

  /// The status of the answer.
  public HttpStatus status() {
    return status;
  }

  /// Fields of the answer beside those of its text.
  public HttpHeaders headers() {
    return headers;
  }
}
