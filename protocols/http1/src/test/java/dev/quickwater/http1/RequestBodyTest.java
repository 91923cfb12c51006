package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The body is delivered on request, at the speed of the reader.
final class RequestBodyTest {

  private static String post(int length) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
  }

  private static final String CHUNKED =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  @Test
  void peerIsHeldBackUntilTheBodyIsRead() {
    try (TestServer server = TestServer.manual()) {
      server.send(post(6) + "abc");
      assertFalse(server.peer.isReading());
      server.send("def");
      BodyLog log = BodyLog.of(server.last());
      assertEquals("", log.toString());
      server.peer.runTasks();
      assertTrue(server.peer.isReading());
      assertEquals("abcdef|", log.toString());
    }
  }

  @Test
  void oneReadDeliversOnePiece() {
    try (TestServer server = TestServer.manual()) {
      server.send(CHUNKED);
      BodyLog log = BodyLog.manual(server.last());
      log.pull();
      server.send("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n");
      for (String expected : List.of("a", "ab", "abc", "abc|")) {
        assertEquals(expected, log.toString());
        if (!expected.endsWith("|")) {
          log.pull();
          server.peer.runTasks();
        }
      }
      assertEquals("y", log.trailers.get("x"));
    }
  }

  @Test
  void readerThatStopsHoldsThePeerBack() {
    try (TestServer server = TestServer.manual()) {
      server.send(post(9));
      BodyLog log = BodyLog.manual(server.last());
      log.pull();
      server.send("abc");
      server.send("def");
      assertFalse(server.peer.isReading());
      server.send("ghi");
      assertEquals("abc", log.toString());
      log.pull();
      server.peer.runTasks();
      assertEquals("abcdef", log.toString());
      log.pull();
      server.peer.runTasks();
      assertEquals("abcdefghi", log.toString());
      log.pull();
      server.peer.runTasks();
      assertEquals("abcdefghi|", log.toString());
    }
  }

  @Test
  void endOfNoBodyIsDeliveredAfterTheHandlerReturned() {
    List<String> order = new ArrayList<>();
    try (TestServer server =
        new TestServer(x -> {
          x.requestBody()
              .read(
                  new BodyReader() {
                    @Override
                    public void data(ByteBuf bytes) {
                      bytes.release();
                    }

                    @Override
                    public void end(HttpHeaders trailers) {
                      order.add("end");
                    }
                  });
          order.add("returned");
        })) {
      server.get("/");
      assertEquals(List.of("returned", "end"), order);
    }
  }

  @Test
  void wholeBodyIsCollected() {
    List<String> bodies = new ArrayList<>();
    try (TestServer server =
        new TestServer(x ->
            x.readAll(6)
                .onComplete(f -> {
                  bodies.add(new String(f.value(), StandardCharsets.US_ASCII));
                  x.respond(HttpResponse.text("x"));
                }))) {
      server.send(post(6) + "abc").send("def");
      server.send(CHUNKED + "2\r\nab\r\n4\r\ncdef\r\n0\r\n\r\n");
      server.send(post(0));
      assertEquals(List.of("abcdef", "abcdef", ""), bodies);
    }
  }

  @Test
  void collectedBodyThatIsTooLongFails() {
    try (TestServer server =
        new TestServer(x ->
            x.readAll(5)
                .onComplete(f -> {
                  if (!f.isSuccess()) {
                    x.fail(f.cause());
                  }
                }))) {
      server.send(post(6) + "abcdef");
      assertEquals("HTTP/1.1 413 Content Too Large", server.sentStatus());
      server.assertOpen();
    }
  }

  @Test
  void bodyBeyondTheLimitIs413() {
    Http1Settings small =
        Http1Settings.DEFAULT.withExchanges(ExchangeLimits.DEFAULT.withMaxBody(5));
    for (String request : new String[] {post(6) + "abcdef", CHUNKED + "6\r\nabcdef\r\n0\r\n\r\n"}) {
      List<BodyLog> logs = new ArrayList<>();
      try (TestServer server = new TestServer(small, x -> logs.add(BodyLog.of(x)))) {
        server.send(request);
        assertEquals("HTTP/1.1 413 Content Too Large", server.sentStatus());
        assertEquals("!", logs.getFirst().toString());
      }
    }
  }

  @Test
  void limitOfOneExchangeCanBeRaised() {
    Http1Settings small =
        Http1Settings.DEFAULT.withExchanges(ExchangeLimits.DEFAULT.withMaxBody(5));
    try (TestServer server =
        new TestServer(
            small,
            x -> {
              x.limits(x.limits().withMaxBody(6));
              BodyLog.of(x);
            })) {
      server.send(post(6) + "abcdef");
      server.peer.runTasks();
      assertEquals("", server.sent());
      server.last().respond(HttpResponse.text("x"));
      assertEquals(ok("x"), server.sent());
    }
  }

  @Test
  void bodyIsPipedBack() {
    try (TestServer server =
        new TestServer(x -> x.requestBody().pipeTo(x.respond(TestServer.head(-1))))) {
      server.send(CHUNKED + "3\r\nabc\r\n");
      assertEquals(
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", server.sent());
      server.send("0\r\nX: y\r\n\r\n");
      assertEquals("0\r\nX: y\r\n\r\n", server.sent());
      server.send(CHUNKED + "no size");
      assertEquals("HTTP/1.1 400 Bad Request", server.sentStatus());
    }
  }

  /// A chunked body split at every byte, with each piece kept until the end: nothing stalls, and no
  /// later piece overwrites an earlier one.
  @Test
  void keptPiecesStayWhatTheyWereAtEveryCut() {
    String body = "5\r\nhello\r\n2\r\n, \r\n5;x=y\r\nworld\r\n0\r\nT: u\r\n\r\n";
    String request = CHUNKED + body + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
    for (int one = CHUNKED.length(); one < request.length(); one++) {
      for (int two = one; two < request.length(); two++) {
        checkKept(request, one, two);
      }
    }
  }

  private static void checkKept(String request, int one, int two) {
    List<ByteBuf> kept = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    try (TestServer server =
        new TestServer(x ->
            x.requestBody()
                .read(
                    new BodyReader() {
                      @Override
                      public void data(ByteBuf bytes) {
                        kept.add(bytes);
                        x.requestBody().read(this);
                      }

                      @Override
                      public void end(HttpHeaders trailers) {
                        x.respond(HttpResponse.text("x"));
                      }
                    }))) {
      sendNative(server, request.substring(0, one));
      sendNative(server, request.substring(one, two));
      sendNative(server, request.substring(two));
      for (ByteBuf bytes : kept) {
        text.append(bytes.toString(StandardCharsets.ISO_8859_1));
        bytes.release();
      }
      assertEquals("hello, world", text.toString(), "cut at " + one + " and " + two);
      assertEquals(ok("x") + ok("x"), server.sent(), "cut at " + one + " and " + two);
    }
  }

  /// Like the transports: in a buffer of the loop with space after the bytes.
  private static void sendNative(TestServer server, String text) {
    server.peer.send(server.peer.loop().allocator().allocate(64).writeBytes(Parsing.bytes(text)));
  }

  @Test
  void byteByByteNothingStalls() {
    String request = CHUNKED + "3\r\nabc\r\n0\r\nT: u\r\n\r\n";
    List<BodyLog> logs = new ArrayList<>();
    try (TestServer server = new TestServer(x -> logs.add(BodyLog.of(x)))) {
      for (char c : request.toCharArray()) {
        assertTrue(server.peer.isReading(), "stalled after " + logs);
        server.send(String.valueOf(c));
      }
      assertEquals("abc|", logs.getFirst().toString());
    }
  }
}
