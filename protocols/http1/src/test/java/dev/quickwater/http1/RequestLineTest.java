package dev.quickwater.http1;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 section 3.
final class RequestLineTest {

  private static final String HOST = "\r\nHost: a\r\n\r\n";

  @Test
  void methodTargetAndVersionAreKept() {
    assertEquals(List.of("GET /x?y=1 HTTP/1.1 {Host: a}"), accepted("GET /x?y=1 HTTP/1.1" + HOST));
  }

  @Test
  void unknownMethodIsNoFault() {
    assertEquals(List.of("BREW-it! / HTTP/1.1 {Host: a}"), accepted("BREW-it! / HTTP/1.1" + HOST));
  }

  @Test
  void oldVersionClosesUnlessAskedToStay() {
    assertEquals(List.of("GET / HTTP/1.0 {} close"), accepted("GET / HTTP/1.0\r\n\r\n"));
    assertEquals(
        List.of("GET / HTTP/1.0 {Connection: Keep-Alive}"),
        accepted("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"));
  }

  @Test
  void closeIsFoundInsideOfAList() {
    assertEquals(
        List.of("GET / HTTP/1.1 {Host: a, Connection: x ,\tClose, y} close"),
        accepted("GET / HTTP/1.1\r\nHost: a\r\nConnection: x ,\tClose, y\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.2", "HTTP/2.0", "HTTP/3.0", "HTTP/0.9", "HTTP/1.9"})
  void otherVersionsAreNotSupported(String version) {
    refused(505, "GET / " + version + HOST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /",
        "GET",
        "GET ",
        "GET  / HTTP/1.1",
        "GET /  HTTP/1.1",
        "GET / HTTP/1.1 ",
        " GET / HTTP/1.1",
        "GET\t/ HTTP/1.1",
        "GET /\tHTTP/1.1",
        "GET / http/1.1",
        "GET / HTTP/1.10",
        "GET / HTTP/11",
        "GET / HTTP/1,1",
        "GET / HTTP/a.1",
        "GET / HTTPS/1.1",
        "GET / x HTTP/1.1",
        "G(T / HTTP/1.1",
        "GET x HTTP/1.1",
        "GET * HTTP/1.1",
        "GET ** HTTP/1.1",
        "GET ftp://a/ HTTP/1.1",
        "GET http:// HTTP/1.1",
        "GET http:///x HTTP/1.1",
        "GET http://u@a/ HTTP/1.1",
        "GET /#x HTTP/1.1"
      })
  void malformedLinesAreRefused(String line) {
    refused(400, line + HOST);
  }

  @Test
  void asteriskIsForOptions() {
    assertEquals(List.of("OPTIONS * HTTP/1.1 {Host: a}"), accepted("OPTIONS * HTTP/1.1" + HOST));
  }

  @Test
  void tunnelsAreNotOpened() {
    refused(501, "CONNECT a:443 HTTP/1.1" + HOST);
  }
}
