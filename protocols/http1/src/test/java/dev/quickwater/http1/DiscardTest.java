package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A body without a reader is dropped up to 64 KiB or 1 s; then the connection lingers and closes.
final class DiscardTest {

  private static String post(int length) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
  }

  @Test
  void shortBodyIsDroppedAndTheConnectionStays() {
    try (TestServer server = TestServer.paths()) {
      server.send(post(64 << 10) + "x".repeat(1000));
      assertEquals(ok("/"), server.sent());
      server.send("x".repeat((64 << 10) - 1000));
      assertEquals(ok("/next"), server.get("/next").sent());
      server.assertOpen();
    }
  }

  @Test
  void longBodyClosesGracefully() {
    try (TestServer server = TestServer.paths()) {
      server.send(post(1 << 20));
      assertEquals(ok("/").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"), server.sent());
      server.assertLingers();
    }
  }

  @Test
  void endlessTinyChunksCloseToo() {
    try (TestServer server = TestServer.paths()) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 70 && !server.peer.isOutputEnded(); i++) {
        server.send("1\r\nx\r\n".repeat(1000));
      }
      server.assertLingers();
    }
  }

  @Test
  void slowBodyClosesAfterASecond() {
    try (TestServer server = TestServer.paths()) {
      server.send(post(100));
      server.advance(Duration.ofMillis(900)).send("x");
      server.assertOpen();
      server.advance(Duration.ofMillis(101));
      assertEquals(ok("/"), server.sent());
      server.assertLingers();
    }
  }

  @Test
  void lingeringEndsByItself() {
    try (TestServer server = TestServer.paths()) {
      server.send(post(100)).advanceSeconds(1);
      assertTrue(server.peer.isOutputEnded());
      server.advanceSeconds(5);
      server.assertClosed();
    }
  }

  @Test
  void readerOfAnEndedExchangeReceivesNothingMore() {
    try (TestServer server = TestServer.manual()) {
      server.send(post(6) + "abc");
      HttpExchange x = server.last();
      BodyLog log = BodyLog.of(x);
      server.peer.runTasks();
      x.respond(HttpResponse.text("x"));
      server.send("def");
      assertEquals("abc!", log.toString());
      server.get("/next");
      assertEquals(2, server.exchanges.size());
      assertEquals(0, server.aborted());
    }
  }

  @Test
  void violationInADroppedBodyDoesNotTakeTheResponseBack() {
    try (TestServer server = TestServer.paths()) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno size");
      assertEquals(ok("/").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"), server.sent());
      server.assertLingers();
    }
  }
}
