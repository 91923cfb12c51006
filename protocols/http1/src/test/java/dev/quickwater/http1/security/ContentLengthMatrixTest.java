package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.refused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two lengths, or a length and a coding, or a length that parsers read differently
/// (CVE-2019-20445). Any repeat is refused, equal or not.
final class ContentLengthMatrixTest {

  private static String with(String... fields) {
    return "POST / HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", fields) + "\r\n\r\nhello";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "+5",
        "-5",
        "-0",
        "0x5",
        "5h",
        "5 5",
        "5,5",
        "5, 5",
        ",5",
        "5,",
        "5;",
        "5.0",
        "\"5\"",
        "\u00b2",
        "\u0665",
        "1e1",
        "0000000000000000005",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551621",
        "99999999999999999999999999"
      })
  void malformedValueIsRefused(String value) {
    refused(400, with("Content-Length: " + value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "6", "0", ""})
  void repeatIsRefused(String second) {
    refused(400, with("Content-Length: 5", "Content-Length: " + second));
    refused(400, with("Content-Length: 5", "X: y", "content-LENGTH:" + second));
  }

  @Test
  void lengthAndCodingAreRefusedInBothOrders() {
    refused(400, with("Content-Length: 5", "Transfer-Encoding: chunked"));
    refused(400, with("Transfer-Encoding: chunked", "Content-Length: 5"));
    refused(400, with("Transfer-Encoding: chunked", "X: y", "Content-Length: 0"));
  }
}
