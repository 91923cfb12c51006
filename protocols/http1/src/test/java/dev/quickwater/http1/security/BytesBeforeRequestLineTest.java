package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/// At most one empty line is skipped before a request, across reads too (CVE-2026-50020).
final class BytesBeforeRequestLineTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  @Test
  void oneEmptyLineIsSkipped() {
    assertEquals(accepted(GET), accepted("\r\n" + GET));
    assertEquals(2, accepted("\r\n" + GET + "\r\n" + GET).size());
  }

  @Test
  void aSecondIsRefused() {
    refused(400, "\r\n\r\n" + GET);
    refused(400, GET + "\r\n\r\n" + GET);
  }

  @Test
  void everythingElseIsRefused() {
    for (int c = 0; c <= 0x20; c++) {
      refused(400, (char) c + GET);
      refused(400, "\r\n" + (char) c + GET);
    }
    for (String junk : List.of("\n", "\r", "\r\r\n", "\n\n", "\u007f", "\u00ff", "\ufeff")) {
      refused(400, junk + GET);
    }
  }
}
