package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.refused;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trailers that would change framing, routing or ownership of a message are refused (RFC 9110
/// section 6.5.1).
final class TrailerFramingTest {

  private static final String HEAD =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked",
        "Content-Length: 3",
        "Host: b",
        "Connection: close",
        "Trailer: x",
        "Expect: 100-continue",
        "cONTENT-lENGTH: 0",
        "Upgrade: x",
        "Keep-Alive: x",
        "Proxy-Connection: close"
      })
  void isRefused(String field) {
    refused(400, HEAD + field + "\r\n\r\n");
    refused(400, HEAD + "X: y\r\n" + field + "\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X : y", " X: y", "no colon", ": y"})
  void linesAreHeldToTheGrammarOfHeads(String line) {
    refused(400, HEAD + line + "\r\n\r\n");
  }
}
