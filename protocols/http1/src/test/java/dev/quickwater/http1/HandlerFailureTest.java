package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Promise;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class HandlerFailureTest {

  private static IOException fault() {
    return new IOException("a fault of the handler");
  }

  @Test
  void beforeAResponseIs500AndTheConnectionStays() {
    try (TestServer server =
        new TestServer(_ -> {
          throw fault();
        })) {
      assertEquals("HTTP/1.1 500 Internal Server Error", server.get("/").sentStatus());
      assertEquals("HTTP/1.1 500 Internal Server Error", server.get("/").sentStatus());
      server.assertOpen();
      assertEquals(0, server.aborted());
    }
  }

  @Test
  void afterADeferredHeadIs500() {
    try (TestServer server =
        new TestServer(x -> {
          x.respond(TestServer.head(100));
          throw fault();
        })) {
      assertEquals("HTTP/1.1 500 Internal Server Error", server.get("/").sentStatus());
      server.assertOpen();
    }
  }

  @Test
  void afterAHeadBreaksTheConnection() {
    try (TestServer server =
        new TestServer(x -> {
          x.respond(TestServer.head(100)).write(bytes("abc"));
          throw fault();
        })) {
      server.get("/");
      assertEquals("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc", server.sent());
      server.assertClosed();
      assertEquals(1, server.aborted());
    }
  }

  @Test
  void afterAWholeResponseHasNoEffect() {
    try (TestServer server =
        new TestServer(x -> {
          x.respond(HttpResponse.text("done"));
          throw fault();
        })) {
      assertTrue(server.get("/").sent().endsWith("done"));
      assertTrue(server.get("/").sent().endsWith("done"));
      server.assertOpen();
      assertEquals(0, server.aborted());
    }
  }

  /// Throws from one of its methods.
  private record Broken(HttpExchange x, boolean inData) implements BodyReader {
    @Override
    public void data(ByteBuf data) throws IOException {
      data.release();
      if (inData) {
        throw fault();
      }
      x.requestBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) throws IOException {
      throw fault();
    }
  }

  @Test
  void inAReaderIs500AndTheRestIsDiscarded() {
    for (boolean inData : new boolean[] {true, false}) {
      try (TestServer server = new TestServer(x -> x.requestBody().read(new Broken(x, inData)))) {
        server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 6\r\n\r\nabc");
        server.send("def");
        assertEquals("HTTP/1.1 500 Internal Server Error", server.sentStatus());
        server.assertOpen();
      }
    }
  }

  @Test
  void atTheEndOfNoBodyIs500() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.requestBody().read(new Broken(x, false));
      server.peer.runTasks();
      assertEquals("HTTP/1.1 500 Internal Server Error", server.sentStatus());
      server.assertOpen();
    }
  }

  @Test
  void ofAnOldExchangeDoesNotTouchTheNext() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange first = server.get("/1").get("/2").last();
      first
          .requestBody()
          .read(
              new BodyReader() {
                @Override
                public void data(ByteBuf data) {
                  data.release();
                }

                @Override
                public void end(HttpHeaders trailers) throws IOException {
                  first.respond(HttpResponse.text("1"));
                  throw fault();
                }
              });
      server.peer.runTasks();
      assertEquals(2, server.exchanges.size());
      assertTrue(server.sent().endsWith("1"));
      server.last().respond(HttpResponse.text("2"));
      assertTrue(server.sent().endsWith("2"));
      server.assertOpen();
    }
  }

  @Test
  void inOnWritableBreaksTheConnection() {
    try (TestServer server = TestServer.manual()) {
      server.peer.setWindow(0);
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(-1));
      body.write(bytes("x".repeat(100_000)));
      body.onWritable(() -> {
        throw new IllegalStateException("a fault of the handler");
      });
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      server.assertClosed();
      assertEquals(1, server.aborted());
    }
  }

  @Test
  void nullAsALaterResponseIsAnswered() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      Promise<HttpResponse> later = x.loop().newPromise();
      x.respond(later);
      later.success(null);
      assertEquals("HTTP/1.1 500 Internal Server Error", server.sentStatus());
    }
  }

  @Test
  void laterResponseWhoseTransformationThrowsEndsTheExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.onRespond(_ -> {
        throw new IllegalStateException("a fault of the transformation");
      });
      Promise<HttpResponse> later = x.loop().newPromise();
      x.respond(later);
      later.success(HttpResponse.text("x"));
      server.assertClosed();
      assertEquals(1, server.aborted());
    }
  }

  @Test
  void responseToAFailureIsNotMixedWithTheFailedOne() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.onFail(_ -> HttpResponse.stream(ResponseHead.of(HttpStatus.CONFLICT), _ -> {}));
      OutgoingBody old = x.respond(ResponseHead.of(HttpStatus.CREATED));
      x.fail(new IllegalStateException("a fault of the handler"));
      old.write(bytes("old"));
      old.end();
      assertEquals("HTTP/1.1 500 Internal Server Error", server.sentStatus());
    }
  }
}
