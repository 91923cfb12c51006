package dev.quickwater.http;

import org.jspecify.annotations.Nullable;

/// The head of a request.
public final class HttpRequest implements HttpMessage {

  private final HttpMethod method;
  private final HttpTarget target;
  private final HttpHeaders headers;
  private final HttpVersion version;
  private final boolean end;

  /// A head; `end` says that no body follows.
  public HttpRequest(
      HttpMethod method, HttpTarget target, HttpVersion version, HttpHeaders headers, boolean end) {
    this.method = method;
    this.target = target;
    this.version = version;
    this.headers = headers;
    this.end = end;
  }

  /// The method.
  public HttpMethod method() {
    return method;
  }

  /// The target, as it was received.
  public HttpTarget target() {
    return target;
  }

  /// The path of the target.
  public String path() {
    return target.path();
  }

  /// The version that the request came by.
  public HttpVersion version() {
    return version;
  }

  /// The fields.
  public HttpHeaders headers() {
    return headers;
  }

  /// Whom the request is for: of the target in absolute form, otherwise of the Host field; null
  /// when there is neither, as HTTP/1.0 allows.
  public @Nullable String authority() {
    @Nullable String absolute = target.authority();
    return absolute != null ? absolute : headers.get("host");
  }

  @Override
  public boolean end() {
    return end;
  }

  @Override
  public String toString() {
    return method + " " + target + " " + version;
  }
}
