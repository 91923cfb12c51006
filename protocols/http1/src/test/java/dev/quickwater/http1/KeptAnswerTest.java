package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import org.junit.jupiter.api.Test;

/// Responses with the head of the previous one.
final class KeptAnswerTest {

  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n";

  private final ResponseParser parser = new ResponseParser(Http1Settings.DEFAULT);

  /// Parses a whole response, and returns its head.
  private ResponseHead response(HttpMethod method, String text) throws Http1Exception {
    parser.begin(method);
    ByteBuf in = ByteBuf.wrap(Parsing.bytes(text));
    try {
      assertEquals(ResponseParser.Result.HEAD, parser.parse(in));
      ResponseHead head = parser.head();
      for (ResponseParser.Result next; (next = parser.parse(in)) != ResponseParser.Result.END; ) {
        assertEquals(ResponseParser.Result.DATA, next);
        in.skip(parser.dataLength());
      }
      assertEquals(0, in.readableBytes());
      return head;
    } finally {
      in.release();
    }
  }

  @Test
  void equalHeadIsTheSameObject() throws Http1Exception {
    ResponseHead first = response(HttpMethod.GET, HEAD + "ab");
    assertSame(first, response(HttpMethod.GET, HEAD + "cd"));
    assertEquals(2, first.contentLength());
    assertEquals("x", parser.headers().get("server"));
    assertTrue(parser.isPersistent());
  }

  @Test
  void methodDecidesAboutTheBodyOfAnEqualHead() throws Http1Exception {
    ResponseHead head = response(HttpMethod.HEAD, HEAD);
    assertSame(head, response(HttpMethod.GET, HEAD + "ab"));
    assertTrue(parser.hasBody());
    assertSame(head, response(HttpMethod.HEAD, HEAD));
    assertFalse(parser.hasBody());
  }

  @Test
  void headThatDiffersInOneByteIsParsed() throws Http1Exception {
    for (int i = 0; i < HEAD.length(); i++) {
      char c = HEAD.charAt(i);
      if (c != 'x' && c != '2' && c != 'k') {
        continue;
      }
      String other = HEAD.substring(0, i) + (char) (c + 1) + HEAD.substring(i + 1);
      ResponseHead before = response(HttpMethod.HEAD, HEAD);
      assertNotSame(before, response(HttpMethod.HEAD, other), other);
    }
  }

  @Test
  void equalHeadThatClosesTheConnectionStillCloses() throws Http1Exception {
    String closing = HEAD.replace("keep-alive", "close");
    response(HttpMethod.GET, closing + "ab");
    response(HttpMethod.GET, closing + "ab");
    assertFalse(parser.isPersistent());
  }

  @Test
  void equalInterimHeadsCountTowardsTheirLimit() throws Http1Exception {
    String hint = "HTTP/1.1 103 Early Hints\r\nServer: x\r\n\r\n";
    parser.begin(HttpMethod.GET);
    ByteBuf in = ByteBuf.wrap(Parsing.bytes(hint.repeat(ResponseParser.MAX_INFORMATIONAL) + HEAD));
    for (int i = 0; i < ResponseParser.MAX_INFORMATIONAL; i++) {
      assertEquals(ResponseParser.Result.INFORM, parser.parse(in));
      assertEquals(HttpStatus.of(103), parser.status());
    }
    assertEquals(ResponseParser.Result.HEAD, parser.parse(in));
    in.release();
  }

  @Test
  void idleConnectionKeepsNoHead() throws Http1Exception {
    ResponseHead head = response(HttpMethod.GET, HEAD + "ab");
    parser.trim();
    assertNotSame(head, response(HttpMethod.GET, HEAD + "ab"));
  }
}
