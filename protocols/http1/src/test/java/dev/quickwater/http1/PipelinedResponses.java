package dev.quickwater.http1;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the responses of one connection from its bytes, by a parser that shares no code with the
/// engine.
final class PipelinedResponses {

  /// A whole final response.
  ///
  /// @param closes true if it announces the close of the connection
  record Response(int status, byte[] body, boolean closes) {}

  private final byte[] bytes;
  private final boolean ended;
  private int at;

  /// @param ended true if the server has ended its direction in order
  PipelinedResponses(byte[] bytes, boolean ended) {
    this.bytes = bytes;
    this.ended = ended;
  }

  /// The next whole response; null if there is none.
  ///
  /// @param isHead true if it answers a HEAD
  @Nullable Response next(boolean isHead) {
    while (true) {
      int end = find("\r\n\r\n", at);
      if (end < 0) {
        return null;
      }
      String head = new String(bytes, at, end + 2 - at, StandardCharsets.ISO_8859_1);
      if (!head.matches("(?s)HTTP/1\\.1 [1-5]\\d\\d [ -~]*\r\n.*")) {
        throw new AssertionError("no status line: " + head);
      }
      int status = Integer.parseInt(head.substring(9, 12));
      int begin = end + 4;
      if (status >= 200) {
        return finalResponse(status, head.toLowerCase(Locale.ROOT), begin, isHead);
      }
      at = begin;
    }
  }

  /// True if no byte is left.
  boolean isEmpty() {
    return at == bytes.length;
  }

  private @Nullable Response finalResponse(int status, String head, int begin, boolean isHead) {
    boolean closes = head.contains("\r\nconnection: close\r\n");
    byte[] body;
    int length = head.indexOf("\r\ncontent-length: ");
    if (isHead) {
      body = new byte[0];
      at = begin;
    } else if (head.contains("\r\ntransfer-encoding: chunked\r\n")) {
      byte[] decoded = chunked(begin);
      if (decoded == null) {
        return null;
      }
      body = decoded;
    } else if (length >= 0) {
      int value = length + "\r\ncontent-length: ".length();
      int size = Integer.parseInt(head.substring(value, head.indexOf('\r', value)));
      if (begin + size > bytes.length) {
        return null;
      }
      body = Arrays.copyOfRange(bytes, begin, begin + size);
      at = begin + size;
    } else {
      if (!ended) {
        return null;
      }
      body = Arrays.copyOfRange(bytes, begin, bytes.length);
      at = bytes.length;
      closes = true;
    }
    return new Response(status, body, closes);
  }

  private byte @Nullable [] chunked(int begin) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int from = begin;
    while (true) {
      int line = find("\r\n", from);
      if (line < 0) {
        return null;
      }
      int size =
          Integer.parseInt(new String(bytes, from, line - from, StandardCharsets.US_ASCII), 16);
      from = line + 2;
      if (size == 0) {
        int end = find("\r\n", from);
        while (end > from) { // trailers
          from = end + 2;
          end = find("\r\n", from);
        }
        if (end < 0) {
          return null;
        }
        at = end + 2;
        return body.toByteArray();
      }
      if (from + size + 2 > bytes.length) {
        return null;
      }
      body.write(bytes, from, size);
      from += size + 2;
    }
  }

  private int find(String text, int from) {
    for (int i = from; i + text.length() <= bytes.length; i++) {
      int same = 0;
      while (same < text.length() && bytes[i + same] == text.charAt(same)) {
        same++;
      }
      if (same == text.length()) {
        return i;
      }
    }
    return -1;
  }
}
