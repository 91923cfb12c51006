package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/// A response: whole, or the head of one whose body follows piece by piece.
///
/// Content-Length, Transfer-Encoding, Connection and Date are not for the application: the engine
/// writes them from what it is given here. A whole response owns its content until it is sent;
/// sending hands it over, so that an object with content is for one exchange.
public final class HttpResponse implements HttpMessage {

  /// The length of a body that is not known beforehand.
  public static final long UNKNOWN_LENGTH = -1;

  private final HttpStatus status;
  private final HttpHeaders headers;
  private final @Nullable ByteBuf content;
  private final long contentLength;
  private final boolean end;

  private HttpResponse(
      HttpStatus status,
      HttpHeaders headers,
      @Nullable ByteBuf content,
      long contentLength,
      boolean end) {
    this.status = status;
    this.headers = headers;
    this.content = content;
    this.contentLength = contentLength;
    this.end = end;
  }

  /// A whole response with the readable bytes of a buffer, which it takes over.
  public static HttpResponse of(HttpStatus status, HttpHeaders headers, ByteBuf content) {
    return new HttpResponse(status, headers, content, content.readableBytes(), true);
  }

  /// A whole response without content.
  public static HttpResponse of(HttpStatus status, HttpHeaders headers) {
    return new HttpResponse(status, headers, null, 0, true);
  }

  /// A whole response of status 200 with text.
  public static HttpResponse text(String text) {
    return text(HttpStatus.OK, text);
  }

  /// A whole response with text in UTF-8.
  public static HttpResponse text(HttpStatus status, String text) {
    return of(status, TextPlain.HEADERS, ByteBuf.utf8(text));
  }

  /// The head of a response whose body follows, with [#UNKNOWN_LENGTH] or exactly so many bytes.
  ///
  /// @throws IllegalArgumentException for another negative length, or an informational status
  public static HttpResponse head(HttpStatus status, HttpHeaders headers, long contentLength) {
    if (contentLength < UNKNOWN_LENGTH) {
      throw new IllegalArgumentException("contentLength is " + contentLength);
    }
    if (status.isInformational()) {
      throw new IllegalArgumentException(status + " has no body; send it with inform");
    }
    return new HttpResponse(status, headers, null, contentLength, false);
  }

  /// The status.
  public HttpStatus status() {
    return status;
  }

  /// The fields.
  public HttpHeaders headers() {
    return headers;
  }

  /// The content of a whole response, or null when it has none.
  public @Nullable ByteBuf content() {
    return content;
  }

  /// Bytes of the body, or [#UNKNOWN_LENGTH].
  public long contentLength() {
    return contentLength;
  }

  @Override
  public boolean end() {
    return end;
  }

  @Override
  public String toString() {
    return "HttpResponse[" + status + "]";
  }

  private static final class TextPlain {
    static final HttpHeaders HEADERS = HttpHeaders.of("content-type", "text/plain; charset=utf-8");
  }
}
