package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.of;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.http1.Http1Exception;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sizes beyond an `int` or a `long` (CVE-2026-42580) and control bytes in the line of the size
/// (CVE-2026-93566).
final class ChunkSizeLineTest {

  private static final String HEAD =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ffffffffffffffff",
        "8000000000000000",
        "10000000000000000",
        "0000000000000000000000000000000000000005",
        "00000000000000000000000000000000000000000"
      })
  void tooManyDigitsAreRefused(String size) {
    refused(400, HEAD + size + "\r\nhello\r\n0\r\n\r\n");
  }

  @Test
  void sizeBeyondIntIsNotCut() {
    Outcome outcome = of(HEAD + "100000004\r\nabcd\r\n0\r\n\r\n");
    assertNull(outcome.failure());
    assertEquals("abcd\r\n0\r\n\r\n", outcome.events().get(1));
    assertEquals(2, outcome.events().size());
  }

  @Test
  void largestSizeIsPositive() {
    Outcome outcome = of(HEAD + "7ffffffffffffff\r\nx");
    assertNull(outcome.failure());
    assertEquals("x", outcome.events().get(1));
  }

  @Test
  void controlByteAtEachPlaceIsRefused() {
    String line = "5 ;a=\"b\";c\r\n";
    for (int c = 0; c < 0x80; c = c == 0x1f ? 0x7f : c + 1) {
      for (int at = 0; at <= line.length(); at++) {
        if (c == '\t' && at > 0 && at < line.length() - 2) {
          continue; // white space, legal or not by the grammar
        }
        String text =
            HEAD + line.substring(0, at) + (char) c + line.substring(at) + "hello\r\n0\r\n\r\n";
        if (at == line.length()) {
          // it is the first byte of the chunk then, and the chunk one too long
          assertInstanceOf(Http1Exception.class, of(text).failure());
        } else {
          refused(400, text);
        }
      }
    }
  }
}
