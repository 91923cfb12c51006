package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The body comes when it is asked for, as fast as the reader takes it.
final class RequestBodyTest {

  private static String post(int length) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
  }

  private static final String CHUNKED =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  @Test
  void peerIsHeldBackUntilTheBodyIsAskedFor() {
    try (TestServer server = TestServer.manual()) {
      server.send(post(6) + "abc");
      assertFalse(server.peer.isReading());
      server.send("def");
      BodyLog log = new BodyLog();
      server.last().read(log);
      assertTrue(server.peer.isReading());
      assertEquals("abcdef|", log.toString());
    }
  }

  @Test
  void pauseHoldsAndResumeGoesOn() {
    try (TestServer server = TestServer.manual()) {
      server.send(post(9) + "abc");
      BodyLog log = new BodyLog();
      HttpExchange x = server.last();
      x.read(log);
      x.pause();
      server.send("def");
      assertEquals("abc", log.toString());
      assertFalse(server.peer.isReading());
      server.send("ghi");
      x.resume();
      assertEquals("abcdefghi|", log.toString());
      x.pause();
      x.resume();
      assertEquals("abcdefghi|", log.toString());
    }
  }

  @Test
  void pauseInsideDataHoldsTheRestOfTheRead() {
    try (TestServer server = TestServer.manual()) {
      server.send(CHUNKED);
      HttpExchange x = server.last();
      BodyLog log = new BodyLog();
      x.read(
          new BodyReader() {
            @Override
            public void data(ByteBuf bytes) {
              log.data(bytes);
              x.pause();
            }

            @Override
            public void end(HttpHeaders trailers) {
              log.end(trailers);
            }
          });
      server.send("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n");
      assertEquals("a", log.toString());
      x.resume();
      assertEquals("ab", log.toString());
      x.resume();
      assertEquals("abc", log.toString());
      x.resume();
      assertEquals("abc|", log.toString());
      assertEquals("y", log.trailers.get("x"));
    }
  }

  @Test
  void endOfNoBodyIsToldOnce() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      BodyLog log = new BodyLog();
      x.pause();
      x.read(log);
      assertEquals("", log.toString());
      x.resume();
      assertEquals("|", log.toString());
      x.pause();
      x.resume();
      assertEquals("|", log.toString());
    }
  }

  @Test
  void endOfNoBodyIsToldAfterTheHandlerReturned() {
    List<String> order = new ArrayList<>();
    try (TestServer server =
        new TestServer(x -> {
          x.read(
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

  /// Every cut of a chunked body, with each piece kept until the end: nothing stalls, and no piece
  /// is overwritten by what came after it.
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
            x.read(
                new BodyReader() {
                  @Override
                  public void data(ByteBuf bytes) {
                    kept.add(bytes);
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

  /// As the transports do: in a buffer of the loop's that has room behind the bytes.
  private static void sendNative(TestServer server, String text) {
    server.peer.send(server.peer.loop().allocator().allocate(64).writeBytes(Parsing.bytes(text)));
  }

  @Test
  void byteByByteNothingStalls() {
    String request = CHUNKED + "3\r\nabc\r\n0\r\nT: u\r\n\r\n";
    BodyLog log = new BodyLog();
    try (TestServer server = new TestServer(x -> x.read(log))) {
      for (char c : request.toCharArray()) {
        assertTrue(server.peer.isReading(), "stalled after " + log);
        server.send(String.valueOf(c));
      }
      assertEquals("abc|", log.toString());
    }
  }

  @Test
  void readerGoesOnAfterTheResponse() {
    BodyLog log = new BodyLog();
    try (TestServer server =
        new TestServer(x -> {
          x.read(log);
          x.respond(HttpResponse.text("early"));
        })) {
      server.send(post(6) + "abc");
      assertEquals(ok("early"), server.sent());
      server.send("defGET / HTTP/1.1\r\n");
      assertEquals("abcdef|", log.toString());
      server.assertOpen();
    }
  }

  @Test
  void readerGoesOnAfterAResponseThatCloses() {
    BodyLog log = new BodyLog();
    try (TestServer server =
        new TestServer(x -> {
          x.read(log);
          x.respond(HttpResponse.text("early"));
        })) {
      server.send("POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\nabc");
      assertFalse(server.peer.isOutputEnded());
      server.send("def");
      assertEquals("abcdef|", log.toString());
      server.assertLingers();
    }
  }
}
