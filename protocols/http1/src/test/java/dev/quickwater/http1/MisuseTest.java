package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What our caller does wrong is an exception that names the state; the wire stays whole, and what
/// was handed over is released.
final class MisuseTest {

  private static HttpResponse head(long length) {
    return HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, length);
  }

  private static ByteBuf content(TestServer server) {
    return server.peer.loop().allocator().allocate(8).writeAscii("content");
  }

  @Test
  void respondingTwiceThrows() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.respond(HttpResponse.text("1"));
      ByteBuf second = content(server);
      String message =
          assertThrows(
                  IllegalStateException.class,
                  () -> x.respond(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, second)))
              .getMessage();
      assertTrue(message.contains("ENDED"), message);
      assertFalse(second.isLive());
      assertEquals(ok("1"), server.sent());
      server.assertOpen();
    }
  }

  @Test
  void writingWithoutAHeadOrAfterTheEndThrows() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      ByteBuf early = content(server);
      assertThrows(IllegalStateException.class, () -> x.write(early));
      assertFalse(early.isLive());
      assertThrows(IllegalStateException.class, x::end);
      x.respond(HttpResponse.text("1"));
      ByteBuf late = content(server);
      assertThrows(IllegalStateException.class, () -> x.write(late));
      assertFalse(late.isLive());
      assertThrows(IllegalStateException.class, x::end);
      assertThrows(
          IllegalStateException.class,
          () -> x.inform(HttpResponse.of(HttpStatus.EARLY_HINTS, HttpHeaders.EMPTY)));
      assertEquals(ok("1"), server.sent());
    }
  }

  @Test
  void readingTwiceThrows() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.read(new BodyLog());
      assertThrows(IllegalStateException.class, () -> x.read(new BodyLog()));
    }
  }

  @Test
  void otherThreadsAreRefused() throws Exception {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      Executable[] calls = {
        () -> x.respond(HttpResponse.text("1")),
        () -> x.write(bytes("1")),
        x::end,
        x::flush,
        x::reset,
        x::pause,
        x::resume,
        () -> x.read(new BodyLog()),
        () -> x.onAbort(_ -> {}),
        () -> x.onWritable(() -> {}),
        () -> x.inform(HttpResponse.of(HttpStatus.EARLY_HINTS, HttpHeaders.EMPTY))
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
      strings = {
        "Content-Length",
        "transfer-encoding",
        "CONNECTION",
        "Date",
        "Keep-Alive",
        "Upgrade"
      })
  void framingFieldsAreForTheEngine(String name) {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      HttpHeaders fields = HttpHeaders.of(name, "1");
      ByteBuf content = content(server);
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> x.respond(HttpResponse.of(HttpStatus.OK, fields, content)))
              .getMessage();
      assertTrue(message.contains(name), message);
      assertFalse(content.isLive());
      assertThrows(
          IllegalArgumentException.class,
          () -> x.inform(HttpResponse.of(HttpStatus.EARLY_HINTS, fields)));
      x.respond(head(-1));
      assertThrows(IllegalArgumentException.class, () -> x.end(fields));
      x.end();
      server.sent();
      server.assertOpen();
    }
  }

  @Test
  void informationalStatusDoesNotEndAnExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      for (HttpStatus status : new HttpStatus[] {HttpStatus.CONTINUE, HttpStatus.EARLY_HINTS}) {
        assertThrows(
            IllegalArgumentException.class,
            () -> x.respond(HttpResponse.of(status, HttpHeaders.EMPTY)));
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> x.inform(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY)));
      assertThrows(
          IllegalArgumentException.class,
          () -> x.inform(HttpResponse.of(HttpStatus.SWITCHING_PROTOCOLS, HttpHeaders.EMPTY)));
      assertEquals("", server.sent());
    }
  }

  @Test
  void contentThatWasUsedIsRefusedBeforeTheHeadIsWritten() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      ByteBuf read = content(server);
      HttpResponse shorter = HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, read);
      read.skip(3);
      assertThrows(IllegalStateException.class, () -> x.respond(shorter));
      assertFalse(read.isLive());
      ByteBuf released = content(server);
      HttpResponse dead = HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, released);
      released.release();
      assertThrows(IllegalStateException.class, () -> x.respond(dead));
      x.respond(HttpResponse.text("1"));
      assertEquals(ok("1"), server.sent());
    }
  }

  @Test
  void tooLongABodyBreaksTheExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.respond(head(3));
      x.write(bytes("ab"));
      ByteBuf more = content(server);
      assertThrows(IllegalStateException.class, () -> x.write(more));
      assertFalse(more.isLive());
      assertEquals("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab", server.sent());
      server.assertClosed();
      assertEquals(0, server.aborts.size());
    }
  }

  @Test
  void tooShortABodyBreaksTheExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.respond(head(3));
      x.write(bytes("ab"));
      assertThrows(IllegalStateException.class, x::end);
      server.assertClosed();
    }
  }

  @Test
  void afterAnAbortEverythingIsReleasedAndIgnored() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      server.reset();
      assertEquals(1, server.aborts.size());
      Promise<Void> promise = server.peer.loop().newPromise();
      x.respond(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, content(server)), promise);
      assertFalse(promise.isSuccess());
      assertTrue(promise.isDone());
      x.write(content(server));
      x.inform(HttpResponse.of(HttpStatus.EARLY_HINTS, HttpHeaders.EMPTY));
      x.read(new BodyLog());
      x.pause();
      x.resume();
      x.end();
      x.reset();
      x.flush();
      assertEquals(1, server.aborts.size());
    }
  }
}
