package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.refused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Chunk framing that different parsers read differently (CVE-2025-58056, the "funky chunks" set).
final class FunkyChunksTest {

  private static final String HEAD =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3\nabc\r\n0\r\n\r\n",
        "3\rabc\r\n0\r\n\r\n",
        "3\r\r\nabc\r\n0\r\n\r\n",
        "3;\nabc\r\n0\r\n\r\n",
        "3;\r\nabc\r\n0\r\n\r\n",
        "3;a\nabc\r\n0\r\n\r\n",
        "3;a=\r\nabc\r\n0\r\n\r\n",
        "3 \r\nabc\r\n0\r\n\r\n",
        "3\t\r\nabc\r\n0\r\n\r\n",
        "3;a \r\nabc\r\n0\r\n\r\n",
        "3;a=b \r\nabc\r\n0\r\n\r\n",
        " 3\r\nabc\r\n0\r\n\r\n",
        "\r\n3\r\nabc\r\n0\r\n\r\n",
        "3\r\nabc0\r\n\r\n",
        "3\r\nabc\n0\r\n\r\n",
        "3\r\nabc\r0\r\n\r\n",
        "3\r\nabcd\r\n0\r\n\r\n",
        "3\r\nabc\r\r\n0\r\n\r\n",
        "+3\r\nabc\r\n0\r\n\r\n",
        "-3\r\nabc\r\n0\r\n\r\n",
        "0x3\r\nabc\r\n0\r\n\r\n",
        "3h\r\nabc\r\n0\r\n\r\n",
        "3_0\r\nabc\r\n0\r\n\r\n",
        "g\r\nabc\r\n0\r\n\r\n",
        ";a=b\r\nabc\r\n0\r\n\r\n",
        "3,3\r\nabc\r\n0\r\n\r\n",
        "\uff13\r\nabc\r\n0\r\n\r\n",
        "3\r\nabc\r\n0\r\n\n",
        "3\r\nabc\r\n0\r\n\rX\r\n"
      })
  void isRefused(String body) {
    refused(400, HEAD + body);
  }

  @Test
  void sameBodyPassesAsTheGrammarHasIt() {
    accepted(HEAD + "3\r\nabc\r\n0\r\n\r\n");
    accepted(HEAD + "3 ; a = b\t;c\r\nabc\r\n0\r\n\r\n");
  }
}
