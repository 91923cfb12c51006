package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.of;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.http1.HeadLimits;
import dev.quickwater.http1.Http1Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Extensions are read by their grammar and dropped; their size is bounded (CVE-2026-33870).
final class ChunkExtensionTest {

  private static final String HEAD =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";a",
        ";a=b",
        ";a=\"b\"",
        ";a=\"\"",
        ";a=\"b;c\"",
        ";a=\"b\\\"c\"",
        ";a=\"\\\\\"",
        ";a;b;c=d",
        " ;\ta\t= b",
        ";a=\"\t\u00e4\"",
        ";!#=~"
      })
  void isDropped(String extension) {
    assertEquals(
        "hello",
        accepted(HEAD + "5" + extension + "\r\nhello\r\n0" + extension + "\r\n\r\n").get(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";a=\"\r\n0\r\n\r\n\"",
        ";a=\"b",
        ";a=\"b\\\"",
        ";a=\"b\"c",
        ";a=\"b\"\"c\"",
        ";a=b\"c\"",
        ";=b",
        ";;a",
        ";a==b",
        ";a=b=c",
        ";a=",
        ";",
        ";\u0000",
        ";a=\"\u0001\"",
        ";a=\"\\\u007f\"",
        ";a b",
        ";a=b c",
        " a",
        ";a=\n",
        ";a=\"\n\"",
        "g;b"
      })
  void whatIsNotOfTheGrammarIsRefused(String extension) {
    refused(400, HEAD + "5" + extension + "\r\nhello\r\n0\r\n\r\n" + "\r\n".repeat(20));
  }

  @Test
  void sizeIsBoundedInOneChunkAndInAll() {
    Http1Settings settings =
        Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.withMaxChunkExtension(20));
    refused(settings, 400, HEAD + "5;a=" + "x".repeat(20) + "\r\nhello\r\n0\r\n\r\n");
    refused(settings, 400, HEAD + "1;a=b\r\nx\r\n".repeat(10) + "0\r\n\r\n");
    assertNull(of(settings, HEAD + "1;a=b\r\nx\r\n".repeat(3) + "0\r\n\r\n").failure());
  }
}
