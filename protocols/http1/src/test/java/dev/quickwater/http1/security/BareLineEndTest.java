package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.of;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.quickwater.http1.Http1Exception;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Only CRLF ends a line. Each line end of a request is replaced in turn; no result may be read as
/// that request.
final class BareLineEndTest {

  private static final String REQUEST =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3\r\nabc\r\n0\r\nT: u\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n";

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\r\n", "\n\r", "\r\u0000\n", "\u000b\r\n", "\r \n"})
  void isRefusedEverywhere(String end) {
    for (int at = REQUEST.indexOf("\r\n"); at >= 0; at = REQUEST.indexOf("\r\n", at + 1)) {
      String text = REQUEST.substring(0, at) + end + REQUEST.substring(at + 2) + "x\r\n\r\n";
      assertInstanceOf(Http1Exception.class, of(text).failure(), "line end at " + at);
    }
  }
}
