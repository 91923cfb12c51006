package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import java.nio.charset.StandardCharsets;

/// Writes heads and chunk framing of responses (RFC 9112). Sans I/O: everything goes to a buffer.
///
/// It alone writes Content-Length, Transfer-Encoding, Connection and Date. What it is given was
/// checked where it was made: no text that reaches the wire has a line end in it.
final class ResponseEncoder {

  /// How the body of a response is delimited, where it is not its length in bytes.
  static final long CHUNKED = -1;

  /// Until the connection closes: for HTTP/1.0 clients.
  static final long UNTIL_CLOSE = -2;

  /// No framing field at all: 1xx, 204 and 304.
  static final long NONE = -3;

  /// By code.
  private static final byte[][] STATUS_LINES = new byte[1000][];

  private static final byte[] CONTENT_LENGTH = ascii("content-length: ");
  private static final byte[] CHUNKED_LINE = ascii("transfer-encoding: chunked\r\n");
  private static final byte[] CLOSE_LINE = ascii("connection: close\r\n");
  private static final byte[] KEEP_ALIVE_LINE = ascii("connection: keep-alive\r\n");
  private static final byte[] LAST_CHUNK = ascii("0\r\n");
  private static final int CRLF = 0x0d0a;

  static {
    for (int code = 100; code < STATUS_LINES.length; code++) {
      STATUS_LINES[code] = ascii("HTTP/1.1 " + code + " " + HttpStatus.of(code).reason() + "\r\n");
    }
  }

  private ResponseEncoder() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// What the Connection field says.
  enum Persistence {
    /// Nothing: HTTP/1.1 stays open.
    IMPLIED,
    KEEP_ALIVE,
    CLOSE
  }

  /// Writes the head of a final response.
  ///
  /// @param date from [DateCache#line]
  static void head(
      ByteBuf out,
      HttpStatus status,
      HttpHeaders headers,
      long framing,
      Persistence persistence,
      byte[] date) {
    out.writeBytes(STATUS_LINES[status.code()]).writeBytes(headers.wireForm());
    if (framing >= 0) {
      out.writeBytes(CONTENT_LENGTH);
      decimal(out, framing);
      out.writeShort(CRLF);
    } else if (framing == CHUNKED) {
      out.writeBytes(CHUNKED_LINE);
    }
    switch (persistence) {
      case IMPLIED -> {}
      case KEEP_ALIVE -> out.writeBytes(KEEP_ALIVE_LINE);
      case CLOSE -> out.writeBytes(CLOSE_LINE);
    }
    out.writeBytes(date);
  }

  /// Writes an informational response.
  static void informational(ByteBuf out, HttpStatus status, HttpHeaders headers) {
    out.writeBytes(STATUS_LINES[status.code()]).writeBytes(headers.wireForm()).writeShort(CRLF);
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
    out.writeBytes(LAST_CHUNK).writeBytes(trailers.wireForm()).writeShort(CRLF);
  }

  /// Divisions by constants are multiplications; most lengths have few digits.
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
