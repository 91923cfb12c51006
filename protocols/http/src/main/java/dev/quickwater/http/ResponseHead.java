package dev.quickwater.http;

import dev.quickwater.http.engine.EncodedHead;
import dev.quickwater.http.engine.EngineAccess;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The head of a final response in every version: immutable, thread-safe, without framing. A
/// constant can be sent any number of times; its encoded form is cached from the second time on.
public final class ResponseHead {

  /// The length of a body whose size is not known in advance.
  public static final long UNKNOWN_LENGTH = -1;

  private final HttpStatus status;
  private final HttpHeaders headers;
  private final long contentLength;

  /// The head has been encoded once.
  private boolean used;

  private @Nullable EncodedHead encoded;

  private ResponseHead(HttpStatus status, HttpHeaders headers, long contentLength) {
    this.status = status;
    this.headers = headers;
    this.contentLength = contentLength;
  }

  /// A head that announces no length. Content-Type is removed from a 304, because it describes no
  /// content (RFC 9110 section 15.4.5).
  ///
  /// @throws IllegalArgumentException if `status` is informational
  public static ResponseHead of(HttpStatus status, HttpHeaders headers) {
    if (status.isInformational()) {
      throw new IllegalArgumentException(status + " is not final; send it with inform");
    }
    HttpHeaders kept = headers;
    if (status.code() == 304 && headers.contains(HeaderName.CONTENT_TYPE)) {
      kept = headers.toBuilder().remove(HeaderName.CONTENT_TYPE).build();
    }
    return new ResponseHead(status, kept, UNKNOWN_LENGTH);
  }

  /// For parsers: the head of a 101 (Switching Protocols), which has no body.
  @SuppressWarnings("exports")
  public static ResponseHead switching(EngineAccess access, HttpHeaders headers) {
    Objects.requireNonNull(access);
    return new ResponseHead(HttpStatus.SWITCHING_PROTOCOLS, headers, 0);
  }

  /// For parsers: a received final head.
  ///
  /// @param contentLength bytes of the body, or [#UNKNOWN_LENGTH]
  @SuppressWarnings("exports")
  public static ResponseHead received(
      EngineAccess access, HttpStatus status, HttpHeaders headers, long contentLength) {
    Objects.requireNonNull(access);
    return status.code() == 304
        ? of(status, headers).withLength(contentLength)
        : new ResponseHead(status, headers, contentLength);
  }

  /// A head with fields from names and values in turn ([HttpHeaders#of]).
  public static ResponseHead of(HttpStatus status, String... fields) {
    return of(status, HttpHeaders.of(fields));
  }

  /// This head with a body of exactly `length` bytes, or [#UNKNOWN_LENGTH].
  ///
  /// @throws IllegalArgumentException for another negative length
  public ResponseHead withLength(long length) {
    if (length < UNKNOWN_LENGTH) {
      throw new IllegalArgumentException("the content length is " + length);
    }
    return length == contentLength ? this : new ResponseHead(status, headers, length);
  }

  /// This head with other fields.
  public ResponseHead withHeaders(HttpHeaders headers) {
    return of(status, headers).withLength(contentLength);
  }

  /// This head with a field. A field that a message has at most once, such as Content-Type,
  /// Location or ETag, replaces the earlier one. Other fields are appended: lists such as Vary,
  /// Set-Cookie, and fields that are not registered.
  ///
  /// @throws IllegalArgumentException if the name belongs to the engine, or for a bad value
  public ResponseHead with(HeaderName name, String value) {
    HttpHeaders.Builder changed = headers.toBuilder();
    return withHeaders(
        (name.isSingle() ? changed.set(name, value) : changed.add(name, value)).build());
  }

  /// The status.
  public HttpStatus status() {
    return status;
  }

  /// The fields.
  public HttpHeaders headers() {
    return headers;
  }

  /// Bytes of the body, or [#UNKNOWN_LENGTH].
  public long contentLength() {
    return contentLength;
  }

  /// For engines: the encoded form. Null the first time a head is sent, when encoding without an
  /// array is cheaper.
  @SuppressWarnings("exports")
  public @Nullable EncodedHead encoded() {
    @Nullable EncodedHead known = encoded;
    if (known == null && used) {
      known = encode();
      encoded = known;
    }
    used = true;
    return known;
  }

  private EncodedHead encode() {
    boolean hasLength = contentLength >= 0 && !status.isBodiless();
    byte[] line = ascii("HTTP/1.1 " + status.code() + " " + status.reason() + "\r\n");
    byte[] fields = headers.wire();
    byte[] length = hasLength ? ascii("content-length: " + contentLength + "\r\n") : new byte[0];
    byte[] bytes = new byte[line.length + fields.length + length.length];
    System.arraycopy(line, 0, bytes, 0, line.length);
    System.arraycopy(fields, 0, bytes, line.length, fields.length);
    System.arraycopy(length, 0, bytes, line.length + fields.length, length.length);
    return new EncodedHead(bytes, headers.contains(HeaderName.DATE), hasLength);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return status.toString();
  }
}
