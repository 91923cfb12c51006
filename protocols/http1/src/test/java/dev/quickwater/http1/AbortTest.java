package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// The abort action is called at most once, and never after the end.
final class AbortTest {

  @Test
  void resetOfTheConnectionIsTold() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").reset();
      assertEquals(1, server.aborts.size());
      assertInstanceOf(IOException.class, server.aborts.getFirst());
      server.assertClosed();
    }
  }

  @Test
  void resetInsideAStreamedResponseIsTold() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").last().respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, 10));
      server.last().write(bytes("abc"));
      server.reset();
      assertEquals(1, server.aborts.size());
    }
  }

  @Test
  void nothingIsToldAfterTheEnd() {
    try (TestServer server = TestServer.paths()) {
      server.get("/").reset();
      assertEquals(0, server.aborts.size());
    }
  }

  @Test
  void ownResetIsNotTold() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.reset();
      x.reset();
      server.assertClosed();
      assertEquals(0, server.aborts.size());
    }
  }

  @Test
  void readerThatOutlivesTheResponseIsTold() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 9\r\n\r\nabc");
      server.last().read(new BodyLog());
      server.last().respond(HttpResponse.text("early"));
      server.reset();
      assertEquals(1, server.aborts.size());
    }
  }

  @Test
  void violationInTheBodyIsTold() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n");
      server.last().read(new BodyLog());
      server.send("nonsense");
      assertEquals(1, server.aborts.size());
      assertEquals("HTTP/1.1 400 Bad Request", server.sentStatus());
    }
  }

  @Test
  void actionThatThrowsDoesNoHarm() {
    try (TestServer server =
        new TestServer(x ->
            x.onAbort(_ -> {
              throw new IllegalStateException("a fault of the handler");
            }))) {
      server.get("/").reset();
      server.assertClosed();
    }
  }

  @Test
  void actionMayUseTheExchange() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.onAbort(_ -> {
        x.respond(HttpResponse.text("too late"));
        x.reset();
      });
      server.reset();
      assertEquals("", server.sent());
    }
  }
}
