package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseTransform;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A wrong call throws an exception that names the state. The output stays well-formed, and
/// arguments are released.
final class MisuseTest {

  private static ByteBuf content(TestServer server) {
    return server.peer.loop().allocator().allocate(8).writeAscii("content");
  }

  @Test
  void respondingTwiceThrowsWhileTheExchangeIsOpen() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(-1));
      String message =
          assertThrows(IllegalStateException.class, () -> x.respond(HttpResponse.text("2")))
              .getMessage();
      assertTrue(message.contains("DEFERRED"), message);
      assertThrows(IllegalStateException.class, () -> x.respond(TestServer.head(-1)));
      assertThrows(IllegalStateException.class, () -> x.tunnel(HttpHeaders.EMPTY, _ -> {}));
      body.end();
      assertEquals("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", server.sent());
      server.assertOpen();
    }
  }

  @Test
  void writingAfterTheEndReleases() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(-1));
      body.end();
      ByteBuf late = content(server);
      body.write(late);
      assertFalse(late.isLive());
      assertFalse(body.isWritable());
      body.flush();
      body.end();
      body.onWritable(() -> {
        throw new IllegalStateException("called after the end");
      });
      server.peer.runTasks();
      server.sent();
      server.assertOpen();
    }
  }

  @Test
  void aSecondReadBeforeTheFirstIsServedThrows() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n");
      HttpExchange x = server.last();
      BodyLog log = BodyLog.manual(x);
      log.pull();
      assertThrows(IllegalStateException.class, log::pull);
      server.send("abc");
      log.pull();
      server.peer.runTasks();
      assertEquals("abc|", log.toString());
      assertThrows(IllegalStateException.class, log::pull);
    }
  }

  @Test
  void aSecondWriterOfOnWritableThrows() {
    try (TestServer server = TestServer.manual()) {
      server.peer.setWindow(0);
      OutgoingBody body = server.get("/").last().respond(TestServer.head(-1));
      body.write(bytes("x".repeat(100_000)));
      body.onWritable(() -> {});
      assertThrows(IllegalStateException.class, () -> body.onWritable(() -> {}));
    }
  }

  @Test
  void otherThreadsAreRefused() throws Exception {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      OutgoingBody body = (OutgoingBody) x;
      Executable[] calls = {
        () -> x.respond(HttpResponse.text("1")),
        () -> x.respond(TestServer.head(-1)),
        () -> body.write(bytes("1")),
        body::end,
        body::flush,
        () -> body.onWritable(() -> {}),
        () -> x.reset(ResetCode.CANCEL),
        () -> x.fail(new IllegalStateException()),
        () -> x.requestBody().read(BodyLog.manual(x)),
        () -> x.onEnd(_ -> {}),
        () -> x.onDrain(() -> {}),
        () -> x.onFail(_ -> null),
        () -> x.onRespond(head -> head),
        () -> x.limits(ExchangeLimits.DEFAULT),
        () -> x.inform(HttpStatus.EARLY_HINTS, HttpHeaders.EMPTY)
      };
      for (Executable call : calls) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread =
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    call.execute();
                  } catch (Throwable t) {
                    thrown.set(t);
                  }
                });
        thread.join();
        assertInstanceOf(IllegalStateException.class, thrown.get());
      }
      assertEquals("", server.sent());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length", "transfer-encoding", "CONNECTION", "Keep-Alive", "Upgrade"})
  void framingFieldsBelongToTheEngine(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> HttpHeaders.of(name, "1")).getMessage();
    assertTrue(
        message
            .toLowerCase(java.util.Locale.ROOT)
            .contains(name.toLowerCase(java.util.Locale.ROOT)),
        message);
  }

  @Test
  void onlyInformationalStatusesInform() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      for (HttpStatus status :
          new HttpStatus[] {HttpStatus.CONTINUE, HttpStatus.SWITCHING_PROTOCOLS, HttpStatus.OK}) {
        assertThrows(IllegalArgumentException.class, () -> x.inform(status, HttpHeaders.EMPTY));
      }
      assertEquals("", server.sent());
    }
  }

  @Test
  void tooLongABodyResetsTheExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(3));
      body.write(bytes("ab"));
      ByteBuf more = content(server);
      assertThrows(IllegalStateException.class, () -> body.write(more));
      assertFalse(more.isLive());
      assertEquals("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab", server.sent());
      server.assertClosed();
      assertEquals(Outcome.Kind.RESET, server.outcomes().getFirst().kind());
    }
  }

  @Test
  void tooShortABodyResetsTheExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(3));
      body.write(bytes("ab"));
      assertThrows(IllegalStateException.class, body::end);
      server.assertClosed();
      assertEquals(Outcome.Kind.RESET, server.outcomes().getFirst().kind());
    }
  }

  @Test
  void handlerThatRespondsTwiceFailsBeforeAnythingIsSent() {
    try (TestServer server =
        new TestServer(x -> {
          x.respond(TestServer.head(-1));
          x.respond(HttpResponse.text("2"));
        })) {
      assertEquals("HTTP/1.1 500 Internal Server Error", server.get("/").sentStatus());
      server.assertOpen();
    }
  }

  @Test
  void constantResponseCanBeSentForEver() {
    HttpResponse constant = HttpResponse.text("x");
    try (TestServer server = new TestServer(x -> x.respond(constant))) {
      for (int i = 0; i < 5; i++) {
        assertEquals(ok("x"), server.get("/").sent());
      }
    }
  }

  @Test
  void failingTransformIs500() {
    ResponseTransform broken =
        _ -> {
          throw new IllegalStateException("a fault of the transform");
        };
    try (TestServer server =
        new TestServer(x -> {
          x.onRespond(broken);
          x.respond(HttpResponse.text("x"));
        })) {
      server.get("/");
      server.assertClosed();
      assertEquals(Outcome.Kind.RESET, server.outcomes().getFirst().kind());
    }
  }
}
