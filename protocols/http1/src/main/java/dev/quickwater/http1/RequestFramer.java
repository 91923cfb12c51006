package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.OutputBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes requests to the output, and decides how their bodies are delimited (RFC 9112 section 6).
///
/// It takes ownership of buffers, even if it throws. It never flushes. Loop only.
final class RequestFramer {

  /// The maximum number of bytes of a head in addition to its fields, target, authority and
  /// protocol.
  private static final int ROOM = 256;

  private final OutputBuffer out;
  private final HeadEncoder.TargetForm form;

  /// The value of HTTP2-Settings in requests that change to HTTP/2; null if the field is not sent.
  private final @Nullable String http2Settings;

  /// How the current body is delimited: [Framing#CHUNKED], [Framing#NONE] or its length.
  private long framing = Framing.NONE;

  private long droppedTrailers;

  /// The authority of the last request. The next request usually has the same one.
  private @Nullable Authority authority;

  /// The Host field of [#authority].
  private byte[] host = HeadEncoder.host(null);

  RequestFramer(OutputBuffer out, HeadEncoder.TargetForm form, @Nullable String http2Settings) {
    this.out = out;
    this.form = form;
    this.http2Settings = http2Settings;
  }

  /// The number of trailers that were dropped because the length of their body was announced.
  long droppedTrailers() {
    return droppedTrailers;
  }

  /// Writes a head.
  ///
  /// @param length bytes of the body, -1 if not known
  /// @return the key of a WebSocket handshake; null without one
  @Nullable String head(RequestHead head, long length, boolean close) {
    RequestHead sent = head;
    if (length > 0) {
      framing = length;
    } else if (length < 0) {
      framing = Framing.CHUNKED;
    } else {
      framing = expectsContent(head) ? 0 : Framing.NONE;
      if (head.headers().contains(HeaderName.EXPECT)) {
        // An Expect field is not allowed in a request without content (RFC 9110 section 10.1.1).
        sent = head.toBuilder().remove(HeaderName.EXPECT).build();
      }
    }
    @Nullable String key = null;
    if (WebSocketHandshake.isRequested(sent)) {
      key = WebSocketHandshake.newKey();
      if (!sent.headers().contains(HeaderName.SEC_WEBSOCKET_VERSION)) {
        sent =
            sent.toBuilder()
                .add(HeaderName.SEC_WEBSOCKET_VERSION, WebSocketHandshake.VERSION)
                .build();
      }
    }
    byte[] field = host(sent);
    HeadEncoder.request(
        out.buffer(room(sent, field)),
        sent,
        field,
        form,
        framing,
        close ? HeadEncoder.Persistence.CLOSE : HeadEncoder.Persistence.IMPLIED,
        HeadEncoder.H2C.equals(sent.protocol()) ? http2Settings : key);
    return key;
  }

  /// Servers may refuse a method that usually has content if no length is given (RFC 9110 section
  /// 8.6).
  private static boolean expectsContent(RequestHead head) {
    HttpMethod method = head.method();
    return head.protocol() == null
        && (method.equals(HttpMethod.POST)
            || method.equals(HttpMethod.PUT)
            || method.equals(HttpMethod.PATCH));
  }

  private byte[] host(RequestHead head) {
    @Nullable Authority wanted = head.authority();
    if (!Objects.equals(wanted, authority)) {
      host = HeadEncoder.host(wanted);
      authority = wanted;
    }
    return host;
  }

  /// An upper limit of the bytes of a head.
  private int room(RequestHead head, byte[] field) {
    @Nullable String protocol = head.protocol();
    return head.headers().encodedLength(EngineAccess.GRANTED)
        + head.target().length(EngineAccess.GRANTED)
        + head.method().name().length()
        + 2 * field.length
        + (protocol == null ? 0 : protocol.length())
        + (http2Settings == null ? 0 : http2Settings.length())
        + ROOM;
  }

  /// Writes a part of the body, at least one byte.
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

  /// Writes the end of the body.
  void end(HttpHeaders trailers) {
    if (framing == Framing.CHUNKED) {
      HeadEncoder.lastChunk(
          out.buffer(trailers.encodedLength(EngineAccess.GRANTED) + ROOM), trailers);
    } else if (trailers.size() > 0) {
      droppedTrailers++;
    }
  }
}
