package dev.quickwater.web;

import dev.quickwater.common.Future;
import dev.quickwater.http.BlockingExchange;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Converts between values and the bodies of messages. A program implements it with a library;
/// there is no default codec and no lookup by type. With Jackson, for example:
///
/// ```java
/// static <T> BodyCodec<T> json(Class<T> type) {
///   return new BodyCodec<>() {
///     public String contentType() { return "application/json"; }
///     public T decode(byte[] body) throws IOException { return MAPPER.readValue(body, type); }
///     public byte[] encode(T value) throws IOException { return MAPPER.writeValueAsBytes(value); }
///   };
/// }
///
/// routes.post("/users", x ->
///     x.respond(USER.read(x, 64 << 10).map(user -> USER.response(HttpStatus.CREATED, user))));
/// ```
///
/// - The response is 415 to a body of another media type, 400 to a body that `decode` refuses, 413
///   to a body that is too long. If `decode` throws an [HttpException], its status is used.
/// - `encode` and `decode` run on the calling thread: the thread of the loop, unless the handler is
///   a blocking one.
///
/// @param <T> the type of values
public interface BodyCodec<T> {

  /// The media type, without parameters: `application/json`.
  String contentType();

  /// Converts a body to a value. The codec owns the array.
  ///
  /// @throws Exception if the body is malformed
  T decode(byte[] body) throws Exception;

  /// Converts a value to a body. The caller owns the array.
  ///
  /// @throws Exception if the value cannot be converted
  byte[] encode(T value) throws Exception;

  /// True if a body of this Content-Type can be decoded. By default the media type must be that of
  /// [#contentType]; parameters are ignored, except that a `charset` must be UTF-8 or ASCII.
  default boolean accepts(@Nullable String type) {
    return MediaType.matches(contentType(), type);
  }

  /// Reads the body of a request. Loop only.
  ///
  /// @return fails with an [HttpException] of 415, 413 or 400
  default Future<T> read(HttpExchange x, int maxBytes) {
    @Nullable HttpException refusal = refusal(x.request().headers());
    return refusal == null ? x.readAll(maxBytes).map(this::decoded) : x.loop().failed(refusal);
  }

  /// Reads the body of a request; blocks.
  ///
  /// @throws HttpException of 415, 413 or 400
  /// @throws IOException if the body does not arrive
  default T read(BlockingExchange x, int maxBytes) throws IOException {
    @Nullable HttpException refusal = refusal(x.request().headers());
    if (refusal != null) {
      throw refusal;
    }
    boolean isTooLong = x.request().contentLength() > maxBytes;
    byte[] body = isTooLong ? new byte[0] : x.body().readNBytes(maxBytes);
    if (isTooLong || body.length == maxBytes && x.body().read() >= 0) {
      throw new HttpException(
          HttpStatus.CONTENT_TOO_LARGE, "the body has more than " + maxBytes + " bytes");
    }
    return decoded(body);
  }

  private @Nullable HttpException refusal(HttpHeaders headers) {
    return accepts(headers.getSingle(HeaderName.CONTENT_TYPE))
        ? null
        : new HttpException(
            HttpStatus.UNSUPPORTED_MEDIA_TYPE, "the body is expected as " + contentType());
  }

  private T decoded(byte[] body) {
    try {
      return decode(body);
    } catch (HttpException e) {
      throw e;
    } catch (Exception e) {
      HttpException malformed =
          new HttpException(HttpStatus.BAD_REQUEST, "the body is not a valid " + contentType());
      malformed.initCause(e);
      throw malformed;
    }
  }

  /// Reads the body of a response that a client received.
  ///
  /// @throws IOException if the body has another media type or is malformed
  default T read(HttpResponse response) throws IOException {
    @Nullable String type = response.headers().getSingle(HeaderName.CONTENT_TYPE);
    if (!accepts(type)) {
      throw new IOException(response + " has the type " + type + ", expected " + contentType());
    }
    try {
      return decode(response.bytes());
    } catch (Exception e) {
      throw new IOException("the body of " + response + " is not a valid " + contentType(), e);
    }
  }

  /// A response with a value.
  ///
  /// @throws IllegalArgumentException if the value cannot be encoded
  default HttpResponse response(HttpStatus status, T value) {
    return HttpResponse.of(status, HttpHeaders.of("content-type", contentType()), encoded(value));
  }

  /// A request with a value.
  ///
  /// @param head without a Content-Type
  /// @throws IllegalArgumentException if the value cannot be encoded
  default HttpRequest request(RequestHead head, T value) {
    byte[] body = encoded(value);
    return HttpRequest.of(head.toBuilder().add("content-type", contentType()).build(), body);
  }

  private byte[] encoded(T value) {
    try {
      return encode(value);
    } catch (Exception e) {
      throw new IllegalArgumentException("a value cannot be encoded as " + contentType(), e);
    }
  }
}
