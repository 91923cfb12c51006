package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.ResponseTransform;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// How each kind of response looks on the wire (RFC 9112 section 6, RFC 9110 section 6.4).
final class ResponseFormsTest {

  private static final String HOST = "\r\nHost: a\r\n\r\n";

  private static String exchange(String request, HttpHandler handler) {
    try (TestServer server = new TestServer(handler)) {
      return server.send(request).sent();
    }
  }

  private static void stream(HttpExchange x, long length, String... parts) {
    OutgoingBody body = x.respond(TestServer.head(length));
    for (String part : parts) {
      body.write(bytes(part));
    }
    body.end();
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
          exchange("GET / HTTP/1.1" + HOST, x -> x.respond(HttpResponse.of(status))));
      assertEquals(
          "HTTP/1.1 " + status + "\r\n\r\n",
          exchange("GET / HTTP/1.1" + HOST, x -> x.respond(ResponseHead.of(status)).end()));
    }
  }

  @Test
  void emptyResponseHasLengthZero() {
    assertEquals(
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        exchange("GET / HTTP/1.1" + HOST, x -> x.respond(HttpResponse.of(HttpStatus.NOT_FOUND))));
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
  void largePiecesAreOneChunk() {
    String large = "x".repeat(10_000);
    assertEquals(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2710\r\n"
            + large
            + "\r\n4\r\nabcd\r\n0\r\n\r\n",
        exchange("GET / HTTP/1.1" + HOST, x -> stream(x, -1, large, "abcd")));
  }

  @Test
  void trailersFollowAChunkedBodyOnly() {
    HttpHeaders trailers = HttpHeaders.of("X-Sum", "1");
    assertEquals(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx-sum: 1\r\n\r\n",
        exchange("GET / HTTP/1.1" + HOST, x -> x.respond(TestServer.head(-1)).end(trailers)));
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        exchange("GET / HTTP/1.1" + HOST, x -> x.respond(TestServer.head(0)).end(trailers)));
  }

  @Test
  void informationalComesBeforeAndNotInTheOldVersion() {
    HttpHandler handler =
        x -> {
          x.inform(HttpStatus.EARLY_HINTS, HttpHeaders.of("link", "</x>"));
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
  void headWithoutABodyHasLengthZero() {
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        exchange("GET / HTTP/1.1" + HOST, x -> x.respond(TestServer.head(-1)).end()));
  }

  @Test
  void responseThatComesLaterIsSentThen() {
    try (TestServer server = TestServer.manual()) {
      Promise<HttpResponse> later = server.peer.loop().newPromise();
      server.get("/").last().respond(later);
      assertEquals("", server.sent());
      later.success(HttpResponse.text("x"));
      assertEquals(ok("x"), server.sent());
      Promise<HttpResponse> failing = server.peer.loop().newPromise();
      server.get("/").last().respond(failing);
      failing.failure(new HttpException(HttpStatus.GONE, "gone"));
      assertEquals("HTTP/1.1 410 Gone", server.sentStatus());
    }
  }

  @Test
  void failuresAreMappedByTheLastMappingFirst() {
    try (TestServer server =
        new TestServer(x -> {
          x.onFail(_ -> HttpResponse.text(HttpStatus.CONFLICT, "first"));
          x.onFail(cause ->
              cause instanceof IllegalArgumentException
                  ? HttpResponse.text(HttpStatus.BAD_REQUEST, "last")
                  : null);
          throw x.request().path().equals("/1")
              ? new java.util.concurrent.CompletionException(new IllegalArgumentException())
              : new IllegalStateException();
        })) {
      assertEquals("HTTP/1.1 400 Bad Request", server.get("/1").sentStatus());
      assertEquals("HTTP/1.1 409 Conflict", server.get("/2").sentStatus());
    }
  }

  /// Doubles each byte.
  private record Doubling(OutgoingBody next) implements OutgoingBody {
    @Override
    public void write(ByteBuf bytes) {
      String text = bytes.toString(StandardCharsets.US_ASCII);
      bytes.release();
      for (char c : text.toCharArray()) {
        next.write(bytes(String.valueOf(c).repeat(2)));
      }
    }

    @Override
    public void end(HttpHeaders trailers) {
      next.end(trailers);
    }

    @Override
    public void flush() {
      next.flush();
    }

    @Override
    public boolean isWritable() {
      return next.isWritable();
    }

    @Override
    public void onWritable(Runnable action) {
      next.onWritable(action);
    }
  }

  @Test
  void transformsSeeEveryFinalResponse() {
    ResponseTransform doubling =
        new ResponseTransform() {
          @Override
          public ResponseHead head(ResponseHead head) {
            return head.withLength(-1).with(HeaderName.of("x-order"), "doubled");
          }

          @Override
          public OutgoingBody body(OutgoingBody next) {
            return new Doubling(next);
          }
        };
    HttpHandler handler =
        x -> {
          x.onRespond(doubling);
          x.onRespond(head -> head.with(HeaderName.of("x-order"), "last added, first"));
          switch (x.request().path()) {
            case "/whole" -> x.respond(HttpResponse.text("ab"));
            case "/stream" -> stream(x, -1, "a", "b");
            default -> throw new HttpException(HttpStatus.GONE, "a");
          }
        };
    String fields = "x-order: last added, first\r\nx-order: doubled\r\n";
    String chunks = "transfer-encoding: chunked\r\n\r\n2\r\naa\r\n2\r\nbb\r\n0\r\n\r\n";
    assertEquals(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\n" + fields + chunks,
        exchange("GET /whole HTTP/1.1" + HOST, handler));
    assertEquals(
        "HTTP/1.1 200 OK\r\n" + fields + chunks, exchange("GET /stream HTTP/1.1" + HOST, handler));
    String refused = exchange("GET /fail HTTP/1.1" + HOST, handler);
    assertTrue(refused.startsWith("HTTP/1.1 410 Gone\r\n"), refused);
    assertTrue(refused.contains(fields), refused);
  }
}
