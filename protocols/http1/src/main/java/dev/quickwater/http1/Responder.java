package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes the responses of a connection: heads, bodies and how they are delimited; and knows
/// whether the connection closes after the current one.
///
/// It takes over the buffers that it is given, also when it throws. Nothing is flushed here. Loop
/// only.
final class Responder {

  private static final class ErrorHeaders {
    static final HttpHeaders TEXT = HttpHeaders.of("content-type", "text/plain; charset=utf-8");
  }

  private final DateCache date;
  private final ResponseWriter out;

  private boolean closeAfter;

  /// The client may be waiting for a 100 before it sends its body.
  private boolean continueOwed;

  Responder(EventLoop loop, ResponseWriter out) {
    this.date = DateCache.of(loop);
    this.out = out;
  }

  /// Another request is to be answered.
  void begin(boolean expectsContinue) {
    continueOwed = expectsContinue;
  }

  boolean owesContinue() {
    return continueOwed;
  }

  /// From here on there is no further response after the current one.
  void closeAfter() {
    closeAfter = true;
  }

  boolean closesAfter() {
    return closeAfter;
  }

  void inform(HttpStatus status, HttpHeaders headers) {
    if (status.code() == 100) {
      continueOwed = false;
    }
    ResponseEncoder.informational(out.buffer(headers.wireForm().length), status, headers);
  }

  void whole(
      HttpRequest request,
      HttpResponse response,
      @Nullable ByteBuf content,
      @Nullable Promise<Void> promise) {
    HttpStatus status = response.status();
    long length = response.contentLength();
    try {
      head(request, response, status.isBodiless() ? ResponseEncoder.NONE : length);
    } catch (Throwable t) {
      if (content != null) {
        content.release();
      }
      throw t;
    }
    if (content != null) {
      if (length > 0 && Http1Exchange.hasBody(request, status)) {
        out.write(content, null);
      } else {
        content.release();
      }
    }
    if (promise != null) {
      out.emit(promise);
    }
  }

  /// Writes the head of a response whose body follows.
  ///
  /// @return how the body is delimited
  long head(HttpRequest request, HttpResponse response, @Nullable Promise<Void> promise) {
    long framing = response.contentLength();
    if (response.status().isBodiless()) {
      head(request, response, ResponseEncoder.NONE);
      framing = 0;
    } else {
      if (framing == HttpResponse.UNKNOWN_LENGTH) {
        boolean chunks = request.version() == HttpVersion.HTTP_1_1;
        framing = chunks ? ResponseEncoder.CHUNKED : ResponseEncoder.UNTIL_CLOSE;
        closeAfter |= !chunks;
      }
      head(request, response, framing);
    }
    if (promise != null) {
      out.emit(promise);
    }
    return framing;
  }

  private void head(HttpRequest request, HttpResponse response, long framing) {
    if (continueOwed) {
      // The client may send the body or not; only closing leaves no doubt (RFC 9110 section
      // 10.1.1).
      closeAfter = true;
    }
    ResponseEncoder.Persistence persistence =
        closeAfter
            ? ResponseEncoder.Persistence.CLOSE
            : request.version() == HttpVersion.HTTP_1_0
                ? ResponseEncoder.Persistence.KEEP_ALIVE
                : ResponseEncoder.Persistence.IMPLIED;
    HttpHeaders headers = response.headers();
    @Nullable ByteBuf content = response.content();
    int behind = content == null ? 0 : Math.min(content.readableBytes(), ResponseWriter.COPY_LIMIT);
    ResponseEncoder.head(
        out.buffer(headers.wireForm().length + behind),
        response.status(),
        headers,
        framing,
        persistence,
        date.line());
  }

  void body(Payload body, boolean chunked, @Nullable Promise<Void> promise) {
    if (chunked) {
      try {
        ResponseEncoder.chunkStart(out.buffer(32), body.size());
      } catch (Throwable t) {
        body.release();
        throw t;
      }
    }
    out.write(body, promise);
    if (chunked) {
      ResponseEncoder.chunkEnd(out.buffer(2));
    }
  }

  void lastChunk(HttpHeaders trailers) {
    ResponseEncoder.lastChunk(out.buffer(trailers.wireForm().length), trailers);
  }

  /// An answer of our own in plain text, the last one of the connection; without a body where
  /// `request` gets none.
  void answer(HttpStatus status, @Nullable String text, @Nullable HttpRequest request) {
    byte[] body =
        (text == null ? status.toString() : text).concat("\n").getBytes(StandardCharsets.UTF_8);
    ByteBuf buffer = out.buffer(body.length);
    ResponseEncoder.head(
        buffer,
        status,
        ErrorHeaders.TEXT,
        body.length,
        ResponseEncoder.Persistence.CLOSE,
        date.line());
    if (request == null || Http1Exchange.hasBody(request, status)) {
      buffer.writeBytes(body);
    }
  }
}
