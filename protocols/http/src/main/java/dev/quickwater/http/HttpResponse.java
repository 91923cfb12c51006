package dev.quickwater.http;

import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.ResponseBody;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;

/// A whole response. It is immutable, thread-safe, owns no buffer, and can be sent any number of
/// times. Its body is in memory, in a file, or made by a [BodyWriter] while it is sent.
///
/// The engine adds the framing fields, Connection, and a Date unless the fields have one.
public final class HttpResponse {

  private static final ResponseBody.Bytes NO_CONTENT = new ResponseBody.Bytes(new byte[0]);

  private final ResponseHead head;
  private final ResponseBody body;

  private HttpResponse(ResponseHead head, ResponseBody body) {
    this.head = head;
    this.body = body;
  }

  /// A response without content, with fields from names and values in turn.
  ///
  /// @throws IllegalArgumentException if `status` is informational, or for a bad field
  public static HttpResponse of(HttpStatus status, String... fields) {
    return new HttpResponse(ResponseHead.of(status, fields).withLength(0), NO_CONTENT);
  }

  /// A response with a copy of `body`.
  ///
  /// @throws IllegalArgumentException if `status` is informational, or the body is not empty and
  ///   `status` is 204, 205 or 304, which have no content
  public static HttpResponse of(HttpStatus status, HttpHeaders headers, byte[] body) {
    return owned(status, headers, body.clone());
  }

  private static HttpResponse owned(HttpStatus status, HttpHeaders headers, byte[] body) {
    if (body.length > 0 && !status.allowsContent()) {
      throw new IllegalArgumentException(status + " has no content");
    }
    return new HttpResponse(
        ResponseHead.of(status, headers).withLength(body.length),
        body.length == 0 ? NO_CONTENT : new ResponseBody.Bytes(body));
  }

  /// For clients: a received response. The head keeps the announced length, which differs from the
  /// length of the body after HEAD. The response owns the array.
  @SuppressWarnings("exports")
  public static HttpResponse received(EngineAccess access, ResponseHead head, byte[] body) {
    Objects.requireNonNull(access);
    return new HttpResponse(head, body.length == 0 ? NO_CONTENT : new ResponseBody.Bytes(body));
  }

  /// A response of status 200 with text in UTF-8.
  public static HttpResponse text(String text) {
    return text(HttpStatus.OK, text);
  }

  /// A response with text in UTF-8.
  ///
  /// @throws IllegalArgumentException if `status` is informational, or the text is not empty and
  ///   `status` has no content
  public static HttpResponse text(HttpStatus status, String text) {
    return owned(
        status,
        status.allowsContent() ? TextPlain.HEADERS : HttpHeaders.EMPTY,
        text.getBytes(StandardCharsets.UTF_8));
  }

  /// A response with the content of a file, which is opened when the response is sent. The engine
  /// sets the length.
  public static HttpResponse file(ResponseHead head, Path file) {
    return new HttpResponse(withContent(head), new ResponseBody.OfFile(null, file));
  }

  /// A response with the content of a file below `root`. The engine opens the file when the
  /// response is sent, and refuses links that lead out of `root`.
  ///
  /// @param relative a decoded path without `..`
  /// @throws HttpException with 404 if `relative` is absolute, empty or leads out of `root`
  public static HttpResponse file(ResponseHead head, Path root, String relative) {
    return new HttpResponse(
        withContent(head), new ResponseBody.OfFile(root, relative(root, relative)));
  }

  private static Path relative(Path root, String text) {
    try {
      Path path = root.getFileSystem().getPath(text);
      if (!text.isEmpty() && !path.isAbsolute() && path.getRoot() == null) {
        for (Path part : path) {
          if (part.toString().equals("..")) {
            throw notFound();
          }
        }
        return path;
      }
    } catch (InvalidPathException _) {
      // Such a file cannot exist.
    }
    throw notFound();
  }

  private static HttpException notFound() {
    return new HttpException(HttpStatus.NOT_FOUND, "no such file");
  }

  /// A response whose body `writer` makes, on a virtual thread. The length is that of `head`.
  public static HttpResponse stream(ResponseHead head, BodyWriter writer) {
    return new HttpResponse(withContent(head), new ResponseBody.Stream(writer));
  }

  private static ResponseHead withContent(ResponseHead head) {
    if (!head.status().allowsContent()) {
      throw new IllegalArgumentException(head.status() + " has no content");
    }
    return head;
  }

  /// This response with a field. A field that a message has at most once replaces the earlier one,
  /// including the Content-Type of [#text(String)]. Other fields are appended
  /// ([ResponseHead#with]).
  ///
  /// @throws IllegalArgumentException if the name belongs to the engine, or for a bad value
  public HttpResponse with(HeaderName name, String value) {
    return new HttpResponse(head.with(name, value), body);
  }

  /// The head. If the body is in memory, its length is that of the body.
  public ResponseHead head() {
    return head;
  }

  /// The status.
  public HttpStatus status() {
    return head.status();
  }

  /// The fields.
  public HttpHeaders headers() {
    return head.headers();
  }

  /// For engines: what is sent after the head.
  @SuppressWarnings("exports")
  public ResponseBody body() {
    return body;
  }

  /// A copy of the body in memory.
  ///
  /// @throws IllegalStateException if the body is a file or a stream
  public byte[] bytes() {
    return content().clone();
  }

  /// The body in memory as UTF-8.
  ///
  /// @throws IllegalStateException if the body is a file or a stream
  public String text() {
    return new String(content(), StandardCharsets.UTF_8);
  }

  private byte[] content() {
    if (body instanceof ResponseBody.Bytes content) {
      return content.bytes();
    }
    throw new IllegalStateException("the body is not in memory");
  }

  @Override
  public String toString() {
    return "HttpResponse[" + status() + "]";
  }

  private static final class TextPlain {
    static final HttpHeaders HEADERS = HttpHeaders.of("content-type", "text/plain; charset=utf-8");
  }
}
