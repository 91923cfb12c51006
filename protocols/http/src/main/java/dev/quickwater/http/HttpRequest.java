package dev.quickwater.http;

import dev.quickwater.http.engine.EngineAccess;
import java.util.Objects;

/// A whole request with its body in memory. It is immutable, and a client can repeat it.
public final class HttpRequest {

  private static final byte[] NO_BODY = {};

  private final RequestHead head;
  private final byte[] body;

  private HttpRequest(RequestHead head, byte[] body) {
    this.head = head;
    this.body = body;
  }

  /// A request with a copy of `body`. The head announces the length of the body.
  ///
  /// @throws IllegalArgumentException if the head requests a tunnel and the body is not empty
  public static HttpRequest of(RequestHead head, byte[] body) {
    RequestHead fitting =
        head.contentLength() == body.length
            ? head
            : head.toBuilder().contentLength(body.length).build();
    return new HttpRequest(fitting, body.clone());
  }

  /// A GET; see [RequestHead#builder] for `uri`.
  public static HttpRequest get(String uri) {
    return new HttpRequest(RequestHead.get(uri), NO_BODY);
  }

  /// A POST of a copy of `body`.
  ///
  /// @param type the value of Content-Type
  public static HttpRequest post(String uri, String type, byte[] body) {
    return of(
        RequestHead.builder(HttpMethod.POST, uri).add(HeaderName.CONTENT_TYPE, type).build(), body);
  }

  /// The head.
  public RequestHead head() {
    return head;
  }

  /// A copy of the body.
  public byte[] bytes() {
    return body.clone();
  }

  /// For engines, which only read it: the body.
  @SuppressWarnings("exports")
  public byte[] bytes(EngineAccess access) {
    Objects.requireNonNull(access);
    return body;
  }

  @Override
  public String toString() {
    return head.toString();
  }
}
