package dev.quickwater.http1;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.bytes;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 section 3.
final class RequestLineTest {

  private static final String HOST = "\r\nHost: a\r\n\r\n";

  @Test
  void methodTargetAndVersionAreKept() {
    assertEquals(List.of("GET /x?y=1 HTTP/1.1 a {}"), accepted("GET /x?y=1 HTTP/1.1" + HOST));
  }

  @Test
  void unknownMethodIsNoFault() {
    assertEquals(List.of("BREW-it! / HTTP/1.1 a {}"), accepted("BREW-it! / HTTP/1.1" + HOST));
  }

  @Test
  void oldVersionClosesUnlessAskedToStay() {
    assertEquals(List.of("GET / HTTP/1.0 null {} close"), accepted("GET / HTTP/1.0\r\n\r\n"));
    assertEquals(
        List.of("GET / HTTP/1.0 null {}"),
        accepted("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"));
  }

  @Test
  void closeIsFoundInsideOfAList() {
    assertEquals(
        List.of("GET / HTTP/1.1 a {} close"),
        accepted("GET / HTTP/1.1\r\nHost: a\r\nConnection: x ,\tClose, y\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/2.0", "HTTP/3.0", "HTTP/0.9", "HTTP/2.1", "HTTP/9.9"})
  void otherVersionsAreNotSupported(String version) {
    refused(505, "GET / " + version + HOST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.2", "HTTP/1.5", "HTTP/1.9"})
  void laterMinorVersionIsReadAsTheKnownOne(String version) {
    assertEquals(List.of("GET / HTTP/1.1 a {}"), accepted("GET / " + version + HOST));
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
        "GET /#x HTTP/1.1",
        "GET a:80 HTTP/1.1",
        "OPTIONS a:80 HTTP/1.1",
        "CONNECT / HTTP/1.1",
        "CONNECT a HTTP/1.1",
        "CONNECT a: HTTP/1.1",
        "CONNECT * HTTP/1.1",
        "CONNECT http://a/ HTTP/1.1",
        "CONNECT a:99999 HTTP/1.1",
        "CONNECT u@a:1 HTTP/1.1"
      })
  void malformedLinesAreRefused(String line) {
    refused(400, line + HOST);
  }

  @Test
  void asteriskIsForOptions() {
    assertEquals(List.of("OPTIONS * HTTP/1.1 a {}"), accepted("OPTIONS * HTTP/1.1" + HOST));
  }

  @Test
  void connectHasTheAuthorityForm() {
    assertEquals(
        List.of("CONNECT b:443 HTTP/1.1 b:443 {}"), accepted("CONNECT b:443 HTTP/1.1" + HOST));
  }

  @Test
  void connectHasNoBody() {
    refused(400, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
    refused(400, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  }

  @Test
  void encryptedTargetInClearTextIsRefused() throws Exception {
    refused(400, "GET https://a/ HTTP/1.1" + HOST);
    RequestParser secure = new RequestParser(Http1Settings.DEFAULT, new SharedParsers(), true);
    secure.parse(ByteBuf.wrap(bytes("GET https://a/ HTTP/1.1" + HOST)));
    assertEquals("https", secure.request().scheme());
    secure.next();
    secure.parse(ByteBuf.wrap(bytes("GET / HTTP/1.1" + HOST)));
    assertEquals("https", secure.request().scheme());
    secure.next();
    secure.parse(ByteBuf.wrap(bytes("GET http://a/ HTTP/1.1" + HOST)));
    assertEquals("http", secure.request().scheme());
  }
}
