package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.refused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Field lines that one parser reads as Transfer-Encoding and another does not: white space before
/// the colon or the name, folding (CVE-2019-16869, CVE-2020-7238), no colon (CVE-2019-20444).
final class FieldLineSmugglingTest {

  private static String among(String line, int place) {
    String[] fields = {"Host: a", "B: b"};
    StringBuilder text = new StringBuilder("POST / HTTP/1.1\r\n");
    for (int i = 0; i <= fields.length; i++) {
      if (i == place) {
        text.append(line).append("\r\n");
      }
      if (i < fields.length) {
        text.append(fields[i]).append("\r\n");
      }
    }
    return text.append("\r\n").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding : chunked",
        "Transfer-Encoding\t: chunked",
        " Transfer-Encoding: chunked",
        "\tTransfer-Encoding: chunked",
        "Transfer Encoding: chunked",
        "Content-Length : 3",
        " folded",
        "no colon",
        "nocolon",
        "Transfer-Encoding",
        ":",
        ": value",
        "\u00e4: value"
      })
  void isRefusedFirstInTheMiddleAndLast(String line) {
    for (int place = 0; place < 3; place++) {
      refused(400, among(line, place));
    }
  }

  @Test
  void foldingIsRefused() {
    refused(400, "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n");
    refused(400, "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n");
  }

  @Test
  void sameFramePassesWithARegularField() {
    for (int place = 0; place < 3; place++) {
      accepted(among("X: y", place));
    }
  }
}
