package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.bytes;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http1.RequestParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Exactly one Host, with one interpretation; the authority of the target has priority (RFC 9112
/// section 3.2).
final class HostTest {

  private static RequestHead parse(String text) throws Exception {
    RequestParser parser = new RequestParser(Http1Settings.DEFAULT);
    parser.parse(ByteBuf.wrap(bytes(text)));
    return parser.request();
  }

  @Test
  void missingIsRefusedButNotInTheOldVersion() throws Exception {
    refused(400, "GET / HTTP/1.1\r\n\r\n");
    assertNull(parse("GET / HTTP/1.0\r\n\r\n").authority());
  }

  @Test
  void emptyHostOfAbsoluteTargetIsRefused() {
    refused(400, "GET http://:80/ HTTP/1.1\r\nHost:\r\n\r\n");
  }

  @Test
  void twoAreRefusedEvenIfEqual() {
    refused(400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
    refused(400, "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: b\r\n\r\n");
    refused(400, "GET / HTTP/1.0\r\nHost:\r\nHost:\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "a, b",
        "a/b",
        "http://a",
        "u@a",
        "a:b",
        "[::1",
        "a\u00e4",
        "a%zz",
        "[:::::::.]",
        "a:99999"
      })
  void invalidIsRefused(String host) {
    refused(400, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "my_host", "a:80", "[::1]:8080", "A.b-c"})
  void validIsAccepted(String host) {
    accepted("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  @Test
  void absoluteFormWins() throws Exception {
    RequestHead request = parse("GET HTTP://b:81/x?y HTTP/1.1\r\nHost: a\r\n\r\n");
    assertEquals(new Authority("b", 81), request.authority());
    assertEquals("/x", request.path());
    assertEquals("y", request.target().rawQuery());
  }

  @Test
  void absoluteFormIsHeldToTheSameGrammar() {
    refused(400, "GET http://u@b/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "GET http://b:x/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "GET http://[b/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "GET http://b/ HTTP/1.1\r\n\r\n");
  }
}
