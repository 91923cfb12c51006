package dev.quickwater.http1;

import static dev.quickwater.http1.Responses.accepted;
import static dev.quickwater.http1.Responses.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpMethod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 sections 4, 6 and 7 as a client reads them.
final class ResponseParserTest {

  private static String ok(String fields, String rest) {
    return "HTTP/1.1 200 OK\r\n" + fields + "\r\n" + rest;
  }

  @Test
  void lengthDelimitsTheBody() {
    assertEquals(
        List.of("HTTP/1.1 200 {x: y} length 5 body", "hello", "end {}"),
        accepted(ok("Content-Length: 5\r\nX: y\r\n", "hello"), "GET"));
    assertEquals(
        List.of("HTTP/1.1 200 {} length 0", "end {}"),
        accepted(ok("Content-Length: 0\r\n", ""), "GET"));
  }

  @Test
  void chunksAndTrailers() {
    assertEquals(
        List.of("HTTP/1.1 200 {} length -1 body", "abcde", "end {t: 1}"),
        accepted(
            ok("Transfer-Encoding: Chunked\r\n", "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n"),
            "GET"));
  }

  @Test
  void withoutLengthTheBodyEndsWithTheConnection() throws Exception {
    assertEquals(
        List.of("HTTP/1.1 200 {} length -1 body close", "hello"), accepted(ok("", "hello"), "GET"));
    assertTrue(endOf(ok("", "hello"), "GET"));
    assertTrue(endOf(ok("", ""), "GET"));
    assertTrue(endOf("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhello", "GET"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1\r\n"
      })
  void truncatedResponseIsNoEnd(String text) {
    assertThrows(Http1Exception.class, () -> endOf(text, "GET"));
  }

  @Test
  void endOfInputWithoutARequestIsNoFault() throws Exception {
    assertFalse(new ResponseParser(Http1Settings.DEFAULT).endOfInput());
    assertFalse(endOf(ok("Content-Length: 0\r\n", ""), "GET"));
  }

  /// Reads the text, then the end of the input.
  private static boolean endOf(String text, String method) throws Http1Exception {
    ResponseParser parser = new ResponseParser(Http1Settings.DEFAULT);
    parser.begin(HttpMethod.of(method));
    ByteBuf in = ByteBuf.wrap(Parsing.bytes(text));
    ResponseParser.Result result = parser.parse(in);
    while (result != ResponseParser.Result.MORE) {
      if (result == ResponseParser.Result.DATA) {
        in.skip(parser.dataLength());
      }
      result = parser.parse(in);
    }
    return parser.endOfInput();
  }

  @ParameterizedTest
  @CsvSource({"HEAD,200", "GET,204", "GET,304", "POST,204", "HEAD,404"})
  void somethingWithoutABodyByItsMethodOrStatus(String method, int status) {
    assertEquals(
        List.of("HTTP/1.1 " + status + " {} length 5" + (status == 204 ? " close" : ""), "end {}"),
        accepted("HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\n", method));
    assertEquals(
        List.of("HTTP/1.1 " + status + " {} length -1", "end {}"),
        accepted("HTTP/1.1 " + status + " x\r\n\r\n", method));
  }

  @Test
  void headMayAnnounceChunks() {
    assertEquals(
        List.of("HTTP/1.1 200 {} length -1", "end {}"),
        accepted(ok("Transfer-Encoding: chunked\r\n", ""), "HEAD"));
    assertEquals(
        List.of("HTTP/1.1 204 {} length -1 close", "end {}"),
        accepted("HTTP/1.1 204 x\r\nTransfer-Encoding: chunked\r\n\r\n", "GET"));
  }

  @Test
  void interimResponsesPrecedeTheFinalOne() {
    assertEquals(
        List.of(
            "100 Continue {}",
            "103 Early Hints {link: x}",
            "HTTP/1.1 200 {} length 2 body",
            "hi",
            "end {}"),
        accepted(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                + ok("Content-Length: 2\r\n", "hi"),
            "GET"));
  }

  @Test
  void interimResponsesBelongToTheCurrentRequest() {
    assertEquals(
        List.of(
            "103 Early Hints {}",
            "HTTP/1.1 200 {} length 9",
            "end {}",
            "103 Early Hints {}",
            "HTTP/1.1 200 {} length 1 body",
            "x",
            "end {}"),
        accepted(
            "HTTP/1.1 103 x\r\n\r\n"
                + ok("Content-Length: 9\r\n", "")
                + "HTTP/1.1 103 x\r\n\r\n"
                + ok("Content-Length: 1\r\n", "x"),
            "HEAD",
            "GET"));
  }

  @Test
  void floodOfInterimResponsesIsRefused() {
    String interim = "HTTP/1.1 102 Processing\r\n\r\n";
    accepted(interim.repeat(3) + ok("Content-Length: 0\r\n", ""), "GET");
    refused(interim.repeat(4), "GET");
    accepted((interim.repeat(3) + ok("Content-Length: 0\r\n", "")).repeat(2), "GET", "GET");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 1", "Transfer-Encoding: chunked"})
  void interimResponseWithABodyIsRefused(String field) {
    refused("HTTP/1.1 100 Continue\r\n" + field + "\r\n\r\n", "GET");
  }

  @Test
  void protocolThatWasAskedForOpensATunnel() {
    assertEquals(
        List.of("HTTP/1.1 101 {x: y} tunnel close", "bytes"),
        accepted(
            "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nX: y\r\n\r\nbytes",
            "GET/websocket"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Connection: upgrade\r\n",
        "Upgrade: websocket\r\n",
        "Connection: upgrade\r\nUpgrade: h2c\r\n",
        "Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n"
      })
  void otherProtocolIsRefused(String fields) {
    refused("HTTP/1.1 101 x\r\n" + fields + "\r\n", "GET/websocket");
  }

  @Test
  void protocolThatWasNotAskedForIsRefused() {
    refused("HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n", "GET");
  }

  @Test
  void connectOpensATunnelWhateverTheFieldsSay() {
    assertEquals(
        List.of("HTTP/1.1 200 {} tunnel close", "bytes"),
        accepted(ok("Content-Length: 3\r\n", "bytes"), "CONNECT"));
    assertEquals(
        List.of("HTTP/1.1 407 {} length 3 body", "abc", "end {}"),
        accepted("HTTP/1.1 407 x\r\nContent-Length: 3\r\n\r\nabc", "CONNECT"));
  }

  @Test
  void persistenceFollowsVersionAndConnection() {
    assertEquals(
        "HTTP/1.1 200 {} length 0 close",
        accepted(ok("Content-Length: 0\r\nConnection: close\r\n", ""), "GET").getFirst());
    assertEquals(
        "HTTP/1.0 200 {} length 0 close",
        accepted("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "GET").getFirst());
    assertEquals(
        "HTTP/1.0 200 {} length 0",
        accepted("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n", "GET")
            .getFirst());
    assertEquals(
        "HTTP/1.1 200 {} length 0",
        accepted("HTTP/1.7 200 OK\r\nContent-Length: 0\r\n\r\n", "GET").getFirst());
  }

  @Test
  void repeatedEqualLengthsAreOneLength() {
    for (String fields :
        List.of(
            "Content-Length: 2\r\nContent-Length: 2\r\n",
            "Content-Length: 2, 2\r\n",
            "Content-Length: 2 ,2\r\ncontent-length: 02\r\n")) {
      assertEquals(
          List.of("HTTP/1.1 200 {} length 2 body", "hi", "end {}"),
          accepted(ok(fields, "hi"), "GET"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 2\r\nContent-Length: 3",
        "Content-Length: 2, 3",
        "Content-Length: 2,",
        "Content-Length: ,2",
        "Content-Length: ",
        "Content-Length: +2",
        "Content-Length: 0x2",
        "Content-Length: 2 2",
        "Content-Length: 99999999999999999999",
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 0",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: ",
        "Content-Length : 2",
        " Content-Length: 2",
        "X: y\r\n folded",
        "no colon",
        ": value",
        "X: a\nb",
        "X: a\rb",
        "X: a\u0000b",
        "X\u0001: a"
      })
  void ambiguousFieldsAreRefused(String fields) {
    refused(ok(fields + "\r\n", "hi"), "GET");
    refused(ok(fields + "\r\n", "hi"), "HEAD");
  }

  @Test
  void chunksInTheOldVersionAreRefused() {
    refused("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200",
        "HTTP/1.1 200 ",
        "HTTP/1.1 200 OK",
        "HTTP/1.1 200 \tany \u00e4 text",
        "HTTP/1.1 299 x",
        "HTTP/1.1 999 x"
      })
  void statusLinesAreRead(String line) {
    accepted(line + "\r\nContent-Length: 0\r\n\r\n", "GET");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\nHTTP/1.1 200 OK",
        " HTTP/1.1 200 OK",
        "HTTP/1.1",
        "HTTP/1.1 ",
        "HTTP/1.1 20",
        "HTTP/1.1 20 OK",
        "HTTP/1.1  200 OK",
        "HTTP/1.1 2000 OK",
        "HTTP/1.1 099 x",
        "HTTP/1.1 000",
        "HTTP/1.1 -20 x",
        "HTTP/1.1 2x0 x",
        "HTTP/1.1\t200 OK",
        "HTTP/1.1 200\tOK",
        "http/1.1 200 OK",
        "HTTP/2.0 200 OK",
        "HTTP/0.9 200 OK",
        "HTTP/1.1 200 O\u0000K",
        "HTTP/1.1 200 O\u007fK",
        "HTTP/1.10 200 OK",
        "ICY 200 OK",
        "<html>",
        "HTTP/1.1 200 OK\n",
        "HTTP/1.1 200 OK\r"
      })
  void otherStatusLinesAreRefused(String line) {
    refused(line + "\r\nContent-Length: 0\r\n\r\n", "GET");
  }

  @Test
  void bytesWithoutARequestAreRefused() {
    refused(ok("Content-Length: 0\r\n", "x"), "GET");
    refused(ok("Content-Length: 0\r\n", "").repeat(2), "GET");
    refused("HTTP/1.1 204 x\r\n\r\nbody", "GET");
    refused(ok("Content-Length: 2\r\n", "hi"), "HEAD");
  }

  @Test
  void responsesInARowAreReadByTheirRequests() {
    assertEquals(
        List.of(
            "HTTP/1.1 200 {} length 2",
            "end {}",
            "HTTP/1.1 200 {} length -1 body",
            "x",
            "end {}",
            "HTTP/1.1 304 {} length -1",
            "end {}"),
        accepted(
            ok("Content-Length: 2\r\n", "")
                + ok("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n")
                + "HTTP/1.1 304 x\r\n\r\n",
            "HEAD",
            "GET",
            "GET"));
  }

  @Test
  void headsAreLimited() {
    Http1Settings small = Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.with(100, 1000, 5));
    for (String text :
        List.of(
            "HTTP/1.1 200 " + "x".repeat(300),
            ok("X:\r\n".repeat(6), ""),
            ok("X: " + "x".repeat(1000) + "\r\n", ""),
            ok("Transfer-Encoding: chunked\r\n", "0\r\n" + "X:\r\n".repeat(6) + "\r\n"),
            ok("Transfer-Encoding: chunked\r\n", "0000000000000001\r\n"))) {
      var outcome = Responses.verifier(small, "GET").verify(Parsing.bytes(text));
      assertInstanceOf(Http1Exception.class, outcome.failure(), text);
    }
  }

  @Test
  void failureIsRepeated() throws Exception {
    ResponseParser parser = new ResponseParser(Http1Settings.DEFAULT);
    parser.begin(HttpMethod.GET);
    ByteBuf in = ByteBuf.wrap(Parsing.bytes("nonsense\r\n\r\n"));
    Http1Exception first = assertThrows(Http1Exception.class, () -> parser.parse(in));
    assertSame(first, assertThrows(Http1Exception.class, () -> parser.parse(in)));
    assertSame(first, assertThrows(Http1Exception.class, parser::endOfInput));
  }

  @Test
  void orderOfCallsIsChecked() throws Exception {
    ResponseParser parser = new ResponseParser(Http1Settings.DEFAULT);
    parser.begin(HttpMethod.GET);
    assertThrows(IllegalStateException.class, () -> parser.begin(HttpMethod.GET));
    ResponseParser tunnel = new ResponseParser(Http1Settings.DEFAULT);
    tunnel.begin(HttpMethod.CONNECT);
    ByteBuf in = ByteBuf.wrap(Parsing.bytes(ok("", "x")));
    assertSame(ResponseParser.Result.HEAD, tunnel.parse(in));
    assertTrue(tunnel.isTunnel());
    assertThrows(IllegalStateException.class, () -> tunnel.parse(in));
    assertFalse(tunnel.endOfInput());
  }
}
