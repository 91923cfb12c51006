package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.EncodedHead;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.OutputBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes responses to the output, and decides how their bodies are delimited (RFC 9112 section 6).
///
/// It takes ownership of buffers, even if it throws. It never flushes. Loop only.
final class ResponseFramer {

  private static final System.Logger LOG = System.getLogger(Http1ServerHandler.class.getName());

  private static final HttpHeaders TEXT =
      HttpHeaders.of("content-type", "text/plain; charset=utf-8");

  /// The maximum number of bytes that a tunnel's head has in addition to the handler's fields.
  private static final int TUNNEL_ROOM = 256;

  private final OutputBuffer out;
  private HttpVersion version = HttpVersion.HTTP_1_1;

  /// True if the client may be waiting for a 100 (Continue) before it sends its body.
  private boolean continueOwed;

  /// How the current body is delimited: [Framing#CHUNKED], [Framing#UNTIL_CLOSE] or its length.
  private long framing;

  ResponseFramer(OutputBuffer out) {
    this.out = out;
  }

  /// Begins the response to another request.
  void begin(HttpVersion requestVersion, boolean expectsContinue) {
    version = requestVersion;
    continueOwed = expectsContinue;
    framing = 0;
  }

  boolean owesContinue() {
    return continueOwed;
  }

  /// True if the current body is delimited by the close of the connection.
  boolean isUntilClose() {
    return framing == Framing.UNTIL_CLOSE;
  }

  /// True if a body with this head can only be delimited by the close of the connection.
  boolean endsWithConnection(ResponseHead head) {
    return head.contentLength() < 0 && version == HttpVersion.HTTP_1_0;
  }

  void inform(HttpStatus status, HttpHeaders headers) {
    if (status.code() == 100) {
      continueOwed = false;
    }
    if (version != HttpVersion.HTTP_1_0) {
      HeadEncoder.informational(out.buffer(length(headers)), status, headers);
    }
  }

  private HeadEncoder.Persistence persistence(boolean close) {
    return close
        ? HeadEncoder.Persistence.CLOSE
        : version == HttpVersion.HTTP_1_0
            ? HeadEncoder.Persistence.KEEP_ALIVE
            : HeadEncoder.Persistence.IMPLIED;
  }

  /// Writes a response in memory; only its head if it has no body on the wire.
  void whole(
      ResponseHead head,
      byte[] content,
      boolean hasBody,
      boolean close,
      RequestHead request,
      SharedParsers shared) {
    byte[] date = shared.date();
    KeptResponse kept = shared.keptResponse();
    @Nullable EncodedHead encoded = head.encoded();
    boolean canKeep = encoded != null && hasBody && !close && isKept(head, content);
    framing = head.status().isBodiless() ? Framing.NONE : head.contentLength();
    byte @Nullable [] wire = canKeep ? kept.find(encoded, content, date) : null;
    if (wire != null) {
      out.buffer(wire.length).writeBytes(wire);
      return;
    }
    int behind = hasBody && content.length <= OutputBuffer.COPY_LIMIT ? content.length : 0;
    ByteBuf buffer = out.buffer(length(head.headers()) + behind);
    int from = buffer.writerIndex();
    encode(buffer, head, encoded, close, request, date);
    if (hasBody) {
      if (content.length <= OutputBuffer.COPY_LIMIT) {
        buffer.writeBytes(content);
      } else {
        out.write(ByteBuf.wrap(content));
      }
    }
    if (canKeep) {
      kept.sent(encoded, content, date, buffer, from);
    }
  }

  /// True if all bytes of the response follow from its head, its body and the date. Those of a 426
  /// depend on the request.
  private boolean isKept(ResponseHead head, byte[] content) {
    return content.length <= OutputBuffer.COPY_LIMIT
        && version == HttpVersion.HTTP_1_1
        && !head.status().equals(HttpStatus.UPGRADE_REQUIRED);
  }

  /// Writes a head; if a body follows, decides how it is delimited.
  void head(ResponseHead head, boolean close, RequestHead request, byte[] date) {
    framing = head.contentLength();
    if (head.status().isBodiless()) {
      framing = Framing.NONE;
    } else if (framing < 0) {
      framing = version == HttpVersion.HTTP_1_0 ? Framing.UNTIL_CLOSE : Framing.CHUNKED;
    }
    ByteBuf buffer = out.buffer(length(head.headers()));
    encode(buffer, head, head.encoded(), close, request, date);
  }

  /// Writes a head. A 426 must name the required protocol (RFC 9110 section 15.5.22): the protocol
  /// that the request named with an unsupported version.
  private void encode(
      ByteBuf buffer,
      ResponseHead head,
      @Nullable EncodedHead encoded,
      boolean close,
      RequestHead request,
      byte[] date) {
    @Nullable String protocol = request.protocol();
    if (protocol != null && head.status().equals(HttpStatus.UPGRADE_REQUIRED)) {
      HeadEncoder.upgradeRequired(buffer, head, framing, protocol, persistence(close), date);
    } else {
      HeadEncoder.response(buffer, head, encoded, framing, persistence(close), date);
    }
  }

  /// An upper limit of the bytes of fields.
  private static int length(HttpHeaders headers) {
    return headers.encodedLength(EngineAccess.GRANTED);
  }

  void body(ByteBuf bytes) {
    boolean chunked = framing == Framing.CHUNKED;
    if (chunked) {
      try {
        HeadEncoder.chunkStart(out.buffer(32), bytes.readableBytes());
      } catch (Throwable t) {
        bytes.release();
        throw t;
      }
    }
    out.write(bytes);
    if (chunked) {
      HeadEncoder.chunkEnd(out.buffer(2));
    }
  }

  /// Writes a file as a body whose length was announced.
  void body(FileRegion file, Promise<Void> sent) {
    out.write(file, sent);
  }

  void end(HttpHeaders trailers) {
    if (framing == Framing.CHUNKED) {
      HeadEncoder.lastChunk(out.buffer(length(trailers)), trailers);
    } else if (trailers.size() > 0) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "{0} trailers are dropped because the length of their body was announced",
          trailers.size());
    }
  }

  /// Writes the error for a malformed request. It is the last response of the connection.
  void refuse(HttpStatus status, String text, byte[] date) {
    byte[] body = text.concat("\n").getBytes(StandardCharsets.UTF_8);
    ResponseHead head = ResponseHead.of(status, TEXT).withLength(body.length);
    ByteBuf buffer = out.buffer(body.length);
    HeadEncoder.response(buffer, head, body.length, HeadEncoder.Persistence.CLOSE, date);
    buffer.writeBytes(body);
  }

  /// Writes the head that opens a tunnel.
  void tunnel(RequestHead request, HttpHeaders headers, byte[] date) {
    ByteBuf buffer = out.buffer(length(headers) + TUNNEL_ROOM);
    @Nullable String protocol = request.protocol();
    if (protocol == null) {
      ResponseHead head = ResponseHead.of(HttpStatus.OK, headers);
      HeadEncoder.response(buffer, head, Framing.NONE, HeadEncoder.Persistence.IMPLIED, date);
    } else {
      @Nullable String key =
          WebSocketHandshake.isRequested(request) ? request.handshake(EngineAccess.GRANTED) : null;
      HeadEncoder.switchProtocols(
          buffer, headers, protocol, key == null ? null : WebSocketHandshake.accept(key), date);
    }
  }
}
