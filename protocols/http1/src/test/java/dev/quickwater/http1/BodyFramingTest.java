package dev.quickwater.http1;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.bytes;
import static dev.quickwater.http1.Parsing.of;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

/// RFC 9112 sections 6 and 7.
final class BodyFramingTest {

  private static String post(String fields, String rest) {
    return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + rest;
  }

  @Test
  void withoutLengthThereIsNoBody() {
    assertEquals(List.of("POST / HTTP/1.1 a {}"), accepted(post("", "")));
  }

  @Test
  void lengthZeroIsNoBody() {
    assertEquals(List.of("POST / HTTP/1.1 a {}"), accepted(post("Content-Length: 0\r\n", "")));
  }

  @Test
  void lengthIsKept() {
    assertEquals(
        List.of("POST / HTTP/1.1 a {} length 5", "hello", "end {}"),
        accepted(post("Content-Length: 5\r\n", "hello")));
  }

  @Test
  void whiteSpaceAroundValuesIsNoPartOfThem() {
    assertEquals(
        List.of("POST / HTTP/1.1 a {x: } length 5", "hello", "end {}"),
        accepted(post("Content-Length:\t 5 \t\r\nX:\r\n", "hello")));
  }

  @Test
  void lengthBeyondIntIsALong() {
    var outcome = of(post("Content-Length: 999999999999999999\r\n", "x"));
    assertNull(outcome.failure());
    assertEquals("x", outcome.events().get(1));
  }

  @Test
  void chunksAreJoined() {
    assertEquals(
        List.of("POST / HTTP/1.1 a {} length -1", "hello, this is a body", "end {}"),
        accepted(
            post(
                "Transfer-Encoding: Chunked\r\n",
                "5\r\nhello\r\n00000F\r\n, this is a bod\r\n1\r\ny\r\n000\r\n\r\n")));
  }

  @Test
  void trailersFollowTheLastChunk() {
    assertEquals(
        List.of("POST / HTTP/1.1 a {} length -1", "abc", "end {x-sum: 1, y: }"),
        accepted(
            post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\nX-Sum: 1\r\nY:\r\n\r\n")));
  }

  @Test
  void requestsInARowDoNotTouchEachOther() {
    Parsing.verifier(Http1Settings.DEFAULT)
        .verifyRow(
            bytes("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
            bytes(post("Transfer-Encoding: chunked\r\n", "2;a=b\r\nhi\r\n0\r\nT: 1\r\n\r\n")),
            bytes(post("Expect: 100-continue\r\nContent-Length: 2\r\n", "hi")),
            bytes("\r\nGET /2 HTTP/1.0\r\n\r\n"),
            bytes("HEAD /3 HTTP/1.1\r\nhost:\r\n\r\n"));
  }

  @Test
  void expectationOfOldVersionIsIgnored() {
    assertEquals(
        List.of("POST / HTTP/1.0 null {expect: 100-continue} length 1 close", "x", "end {}"),
        accepted("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx"));
  }

  @Test
  void unknownExpectationFails() {
    refused(417, post("Expect: 200-ok\r\n", ""));
    refused(417, post("Expect:\r\n", ""));
  }

  @Test
  void needsBytesUntilTheLastOfTheBody() throws Exception {
    RequestParser parser = new RequestParser(Http1Settings.DEFAULT);
    var in = dev.quickwater.buffer.ByteBuf.wrap(bytes(post("Content-Length: 1\r\n", "x")));
    parser.parse(in);
    assertEquals(true, parser.needsBytes());
    parser.parse(in);
    assertEquals(true, parser.isInsideBody());
    assertEquals(false, parser.needsBytes());
  }
}
