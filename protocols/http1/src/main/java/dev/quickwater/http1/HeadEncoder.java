package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.EncodedHead;
import dev.quickwater.http.engine.EngineAccess;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes heads and chunk framing to a buffer, in both directions (RFC 9112). Sans I/O.
///
/// Only this class writes engine-owned fields ([HeaderName#isEngineOwned]); [HttpHeaders] contains
/// none. All arguments were checked when they were created, so no text contains a line end.
final class HeadEncoder {

  /// The protocol of a change to HTTP/2 in clear text (RFC 7540 section 3.2).
  static final String H2C = "h2c";

  /// Status lines by code.
  private static final byte[][] STATUS_LINES = new byte[1000][];

  private static final byte[] CONTENT_LENGTH = ascii("content-length: ");
  private static final byte[] CHUNKED_LINE = ascii("transfer-encoding: chunked\r\n");
  private static final byte[] CLOSE_LINE = ascii("connection: close\r\n");
  private static final byte[] KEEP_ALIVE_LINE = ascii("connection: keep-alive\r\n");
  private static final byte[] UPGRADE_LINE = ascii("connection: upgrade\r\nupgrade: ");
  private static final byte[] H2C_LINES =
      ascii("connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: ");
  private static final byte[] WEBSOCKET_KEY = ascii("sec-websocket-key: ");
  private static final byte[] WEBSOCKET_ACCEPT = ascii("sec-websocket-accept: ");
  private static final byte[] HOST = ascii(" HTTP/1.1\r\nhost: ");
  private static final byte[] LAST_CHUNK = ascii("0\r\n");
  private static final byte[] NO_HOST = {};
  private static final int CRLF = 0x0d0a;

  /// "GET" and a space.
  private static final int GET = 0x4745_5420;

  static {
    for (int code = 100; code < STATUS_LINES.length; code++) {
      STATUS_LINES[code] = ascii("HTTP/1.1 " + code + " " + HttpStatus.of(code).reason() + "\r\n");
    }
  }

  private HeadEncoder() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// The Connection field.
  enum Persistence {
    /// No field: HTTP/1.1 connections stay open.
    IMPLIED,
    KEEP_ALIVE,
    CLOSE
  }

  /// The form of a request target (RFC 9112 section 3.2).
  enum TargetForm {
    /// For an origin server.
    ORIGIN,
    /// For a proxy.
    ABSOLUTE
  }

  // ---- responses ----

  /// Writes the head of a final response.
  ///
  /// @param framing bytes of the body, or a constant of [Framing]
  /// @param date from [DateCache#line]; not written if the fields have a Date
  static void response(
      ByteBuf out, ResponseHead head, long framing, Persistence persistence, byte[] date) {
    response(out, head, head.encoded(), framing, persistence, date);
  }

  /// Writes the head of a final response.
  ///
  /// @param encoded the result of [ResponseHead#encoded]
  static void response(
      ByteBuf out,
      ResponseHead head,
      @Nullable EncodedHead encoded,
      long framing,
      Persistence persistence,
      byte[] date) {
    boolean hasDate;
    // The encoded form contains the length of the head, which differs for HEAD and HTTP/1.0.
    if (encoded != null && (!encoded.hasLength() || framing == head.contentLength())) {
      out.writeBytes(encoded.bytes());
      hasDate = encoded.hasDate();
      if (!encoded.hasLength()) {
        framing(out, framing);
      }
    } else {
      out.writeBytes(STATUS_LINES[head.status().code()]);
      head.headers().writeTo(EngineAccess.GRANTED, out);
      hasDate = head.headers().contains(HeaderName.DATE);
      framing(out, framing);
    }
    persistence(out, persistence);
    end(out, hasDate, date);
  }

  /// Writes the head of a final response that requires a change to `protocol`.
  static void upgradeRequired(
      ByteBuf out,
      ResponseHead head,
      long framing,
      String protocol,
      Persistence persistence,
      byte[] date) {
    out.writeBytes(STATUS_LINES[head.status().code()]);
    head.headers().writeTo(EngineAccess.GRANTED, out);
    framing(out, framing);
    upgrade(out, protocol);
    persistence(out, persistence);
    end(out, head.headers().contains(HeaderName.DATE), date);
  }

  /// Writes a 101 (Switching Protocols).
  ///
  /// @param webSocketAccept the Sec-WebSocket-Accept of a WebSocket handshake; null without one
  static void switchProtocols(
      ByteBuf out,
      HttpHeaders headers,
      String protocol,
      @Nullable String webSocketAccept,
      byte[] date) {
    out.writeBytes(STATUS_LINES[HttpStatus.SWITCHING_PROTOCOLS.code()]);
    headers.writeTo(EngineAccess.GRANTED, out);
    upgrade(out, protocol);
    if (webSocketAccept != null) {
      latin(out.writeBytes(WEBSOCKET_ACCEPT), webSocketAccept).writeShort(CRLF);
    }
    end(out, headers.contains(HeaderName.DATE), date);
  }

  /// Writes an informational response.
  static void informational(ByteBuf out, HttpStatus status, HttpHeaders headers) {
    out.writeBytes(STATUS_LINES[status.code()]);
    headers.writeTo(EngineAccess.GRANTED, out);
    out.writeShort(CRLF);
  }

  private static void end(ByteBuf out, boolean hasDate, byte[] date) {
    if (hasDate) {
      out.writeShort(CRLF);
    } else {
      out.writeBytes(date);
    }
  }

  // ---- requests ----

  /// Writes the head of a request. Host is the first field (RFC 9110 section 7.2); its value is
  /// empty if the head has no authority. A CONNECT always has the authority form.
  ///
  /// @param host the result of [#host] for the authority of the head
  /// @param framing bytes of the body, [Framing#CHUNKED] or [Framing#NONE]
  /// @param handshake the Sec-WebSocket-Key of a WebSocket handshake, or the HTTP2-Settings of a
  ///   change to HTTP/2; null without one
  static void request(
      ByteBuf out,
      RequestHead head,
      byte[] host,
      TargetForm form,
      long framing,
      Persistence persistence,
      @Nullable String handshake) {
    HttpMethod method = head.method();
    if (method == HttpMethod.GET) {
      out.writeInt(GET);
    } else {
      latin(out, method.name()).writeByte(' ');
    }
    if (head.target().isAuthority()) {
      latin(out, head.target().toString());
    } else {
      if (form == TargetForm.ABSOLUTE && head.authority() != null) {
        latin(out, head.scheme() + "://").writeBytes(host);
      }
      if (form == TargetForm.ORIGIN || !head.target().isAsterisk()) {
        head.target().writeOriginForm(EngineAccess.GRANTED, out);
      }
    }
    out.writeBytes(HOST);
    out.writeBytes(host).writeShort(CRLF);
    head.headers().writeTo(EngineAccess.GRANTED, out);
    framing(out, framing);
    @Nullable String protocol = head.protocol();
    if (protocol != null) {
      requestUpgrade(out, protocol, handshake);
    } else {
      persistence(out, persistence);
    }
    out.writeShort(CRLF);
  }

  /// The value of the Host field of an authority; empty without one.
  static byte[] host(@Nullable Authority authority) {
    return authority == null ? NO_HOST : ascii(authority.toString());
  }

  private static void requestUpgrade(ByteBuf out, String protocol, @Nullable String handshake) {
    if (handshake == null) {
      upgrade(out, protocol);
    } else if (protocol.equals(H2C)) {
      latin(out.writeBytes(H2C_LINES), handshake).writeShort(CRLF);
    } else {
      upgrade(out, protocol);
      latin(out.writeBytes(WEBSOCKET_KEY), handshake).writeShort(CRLF);
    }
  }

  // ---- parts ----

  private static void framing(ByteBuf out, long framing) {
    if (framing >= 0) {
      out.writeBytes(CONTENT_LENGTH);
      decimal(out, framing);
      out.writeShort(CRLF);
    } else if (framing == Framing.CHUNKED) {
      out.writeBytes(CHUNKED_LINE);
    }
  }

  private static void persistence(ByteBuf out, Persistence persistence) {
    switch (persistence) {
      case IMPLIED -> {}
      case KEEP_ALIVE -> out.writeBytes(KEEP_ALIVE_LINE);
      case CLOSE -> out.writeBytes(CLOSE_LINE);
    }
  }

  private static void upgrade(ByteBuf out, String protocol) {
    out.writeBytes(UPGRADE_LINE);
    latin(out, protocol).writeShort(CRLF);
  }

  private static ByteBuf latin(ByteBuf out, String text) {
    return out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// Writes the line before a chunk of `size` bytes, more than zero.
  static void chunkStart(ByteBuf out, long size) {
    int shift = (63 - Long.numberOfLeadingZeros(size)) & ~3;
    for (; shift >= 0; shift -= 4) {
      int digit = (int) (size >>> shift) & 15;
      out.writeByte(digit < 10 ? '0' + digit : 'a' - 10 + digit);
    }
    out.writeShort(CRLF);
  }

  /// Writes the line end after a chunk.
  static void chunkEnd(ByteBuf out) {
    out.writeShort(CRLF);
  }

  /// Writes the end of a chunked body.
  static void lastChunk(ByteBuf out, HttpHeaders trailers) {
    out.writeBytes(LAST_CHUNK);
    trailers.writeTo(EngineAccess.GRANTED, out);
    out.writeShort(CRLF);
  }

  /// Divisions by constants compile to multiplications, and most lengths have few digits.
  private static void decimal(ByteBuf out, long value) {
    if (value >= 10_000) {
      decimal(out, value / 10_000);
      int rest = (int) (value % 10_000);
      out.writeByte('0' + rest / 1000)
          .writeByte('0' + rest / 100 % 10)
          .writeByte('0' + rest / 10 % 10)
          .writeByte('0' + rest % 10);
      return;
    }
    int small = (int) value;
    if (small >= 1000) {
      out.writeByte('0' + small / 1000);
    }
    if (small >= 100) {
      out.writeByte('0' + small / 100 % 10);
    }
    if (small >= 10) {
      out.writeByte('0' + small / 10 % 10);
    }
    out.writeByte('0' + small % 10);
  }
}
