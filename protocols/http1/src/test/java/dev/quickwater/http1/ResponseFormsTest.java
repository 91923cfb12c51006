package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How each kind of response looks on the wire (RFC 9112 section 6, RFC 9110 section 6.4).
final class ResponseFormsTest {

  private static final String HOST = "\r\nHost: a\r\n\r\n";

  private static String exchange(String request, HttpHandler handler) {
    try (TestServer server = new TestServer(handler)) {
      return server.send(request).sent();
    }
  }

  private static void stream(HttpExchange x, long length, String... parts) {
    x.respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, length));
    for (String part : parts) {
      x.write(bytes(part));
    }
    x.end();
  }

  @Test
  void headHasTheFieldsOfGetAndNoBody() {
    assertEquals(
        ok("hello").substring(0, ok("hello").length() - 5),
        exchange("HEAD / HTTP/1.1" + HOST, x -> x.respond(HttpResponse.text("hello"))));
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n",
        exchange("HEAD / HTTP/1.1" + HOST, x -> stream(x, 5, "he", "llo")));
    assertEquals(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        exchange("HEAD / HTTP/1.1" + HOST, x -> stream(x, -1, "he", "llo")));
  }

  @Test
  void bodilessStatusHasNoLength() {
    for (HttpStatus status : new HttpStatus[] {HttpStatus.NO_CONTENT, HttpStatus.NOT_MODIFIED}) {
      assertEquals(
          "HTTP/1.1 " + status + "\r\n\r\n",
          exchange(
              "GET / HTTP/1.1" + HOST,
              x -> x.respond(HttpResponse.of(status, HttpHeaders.EMPTY, bytes("dropped")))));
      assertEquals(
          "HTTP/1.1 " + status + "\r\n\r\n",
          exchange(
              "GET / HTTP/1.1" + HOST,
              x -> {
                x.respond(HttpResponse.head(status, HttpHeaders.EMPTY, -1));
                x.end();
              }));
    }
  }

  @Test
  void emptyResponseHasLengthZero() {
    assertEquals(
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        exchange(
            "GET / HTTP/1.1" + HOST,
            x -> x.respond(HttpResponse.of(HttpStatus.NOT_FOUND, HttpHeaders.EMPTY))));
  }

  @Test
  void knownLengthIsStreamedAsItIs() {
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
        exchange("GET / HTTP/1.1" + HOST, x -> stream(x, 5, "he", "", "llo")));
  }

  @Test
  void unknownLengthIsChunkedWithoutEmptyChunks() {
    assertEquals(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        exchange("GET / HTTP/1.1" + HOST, x -> stream(x, -1, "he", "", "llo")));
  }

  @Test
  void largeAndCompositePiecesAreOneChunk() {
    String large = "x".repeat(10_000);
    assertEquals(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2710\r\n"
            + large
            + "\r\n4\r\nabcd\r\n0\r\n\r\n",
        exchange(
            "GET / HTTP/1.1" + HOST,
            x -> {
              x.respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, -1));
              x.write(bytes(large));
              x.write(CompositeByteBuf.of(bytes("ab"), bytes("cd")));
              x.end();
            }));
  }

  @Test
  void trailersFollowAChunkedBodyOnly() {
    HttpHeaders trailers = HttpHeaders.of("X-Sum", "1");
    assertEquals(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n",
        exchange(
            "GET / HTTP/1.1" + HOST,
            x -> {
              x.respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, -1));
              x.end(trailers);
            }));
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        exchange(
            "GET / HTTP/1.1" + HOST,
            x -> {
              x.respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, 0));
              x.end(trailers);
            }));
  }

  @Test
  void informationalComesBeforeAndNotInTheOldVersion() {
    HttpHandler handler =
        x -> {
          x.inform(HttpResponse.of(HttpStatus.EARLY_HINTS, HttpHeaders.of("link", "</x>")));
          x.respond(HttpResponse.text("x"));
        };
    assertEquals(
        "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" + ok("x"),
        exchange("GET / HTTP/1.1" + HOST, handler));
    assertEquals(
        ok("x").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"),
        exchange("GET / HTTP/1.0" + HOST, handler));
  }

  @Test
  void oldVersionGetsUnknownLengthUntilClose() {
    try (TestServer server = new TestServer(x -> stream(x, -1, "he", "llo"))) {
      server.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
      assertEquals("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello", server.sent());
      server.assertLingers();
    }
  }

  @Test
  void oldVersionStaysWhenAsked() {
    try (TestServer server = TestServer.paths()) {
      server.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
      assertEquals(
          ok("/1").replace("\r\n\r\n", "\r\nconnection: keep-alive\r\n\r\n"), server.sent());
      server.assertOpen();
      server.send("GET /2 HTTP/1.0\r\n\r\n");
      assertEquals(ok("/2").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"), server.sent());
      server.assertLingers();
    }
  }

  @Test
  void closeIsAnsweredWithCloseAndNothingBehindIt() {
    try (TestServer server = TestServer.paths()) {
      server.send(
          "GET /1 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost:\r\n\r\n");
      assertEquals(ok("/1").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"), server.sent());
      assertEquals(1, server.exchanges.size());
      server.assertLingers();
    }
  }

  @Test
  void promiseEndsWithItsPart() {
    try (TestServer server = TestServer.manual()) {
      server.peer.setWindow(0);
      server.get("/");
      Promise<Void> head = server.peer.loop().newPromise();
      Promise<Void> body = server.peer.loop().newPromise();
      server.last().respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, 5), head);
      server.last().write(bytes("hello"), body);
      server.last().end();
      server.peer.runTasks();
      assertEquals(false, head.isDone() || body.isDone());
      server.peer.setWindow(Long.MAX_VALUE);
      assertEquals(true, head.isSuccess() && body.isSuccess());
    }
  }

  @Test
  void sharedContentIsSentByEach() {
    ByteBuf content = bytes("shared");
    HttpHandler handler =
        x -> x.respond(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, content.share()));
    String expected = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nshared";
    assertEquals(expected, exchange("GET / HTTP/1.1" + HOST, handler));
    assertEquals(expected, exchange("GET / HTTP/1.1" + HOST, handler));
  }

  /// A part that was dropped would leave the response short, and the next one be read as its rest.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cancellingAPromiseTakesNothingOutOfAResponse(boolean before) {
    HttpHandler handler =
        x -> {
          Promise<Void> promise = x.channel().loop().newPromise();
          if (before) {
            promise.cancel();
          }
          x.respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, 4), promise);
          x.write(bytes("ab"), promise);
          promise.cancel();
          x.write(bytes("cd"));
          x.end();
        };
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nabcd",
        exchange("GET / HTTP/1.1" + HOST, handler));
  }
}
