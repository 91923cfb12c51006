package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertTrue;

/// Reads the output of a server like a client that sends only GET and POST.
final class ResponseCheck {

  private final String text;
  private int at;
  private boolean truncated;

  private ResponseCheck(String text) {
    this.text = text;
  }

  /// Requires responses one after the other with nothing between them.
  ///
  /// @return false if the last response is truncated, which is correct if the connection ends with
  ///   it
  static boolean isComplete(String sent) {
    ResponseCheck check = new ResponseCheck(sent);
    while (check.at < sent.length() && !check.truncated) {
      check.response();
    }
    return !check.truncated;
  }

  private void response() {
    int end = text.indexOf("\r\n\r\n", at);
    String head = text.substring(at, end < 0 ? text.length() : end);
    assertTrue(
        head.startsWith("HTTP/1.1 ") || end < 0 && "HTTP/1.1 ".startsWith(head),
        () -> "no response begins at " + at + " of " + text);
    if (end < 0) {
      truncated = true;
      return;
    }
    at = end + 4;
    int length = head.indexOf("content-length: ");
    if (head.contains("transfer-encoding: chunked")) {
      chunks();
    } else if (length >= 0) {
      skip(Integer.parseInt(head.substring(length + 16).lines().findFirst().orElseThrow()));
    }
  }

  private void chunks() {
    while (!truncated) {
      int end = text.indexOf("\r\n", at);
      if (end < 0) {
        truncated = true;
        return;
      }
      int length = Integer.parseInt(text.substring(at, end), 16);
      at = end + 2;
      skip(length);
      int tail = at;
      if (!truncated) {
        assertTrue(
            "\r\n".startsWith(text.substring(at, Math.min(at + 2, text.length()))),
            () -> "a chunk does not end at " + tail + " of " + text);
        skip(2);
      }
      if (length == 0) {
        return;
      }
    }
  }

  private void skip(int length) {
    at += length;
    truncated |= at > text.length();
  }
}
