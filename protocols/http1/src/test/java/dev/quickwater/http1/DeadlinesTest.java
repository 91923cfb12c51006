package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Slow senders. Time is virtual.
final class DeadlinesTest {

  private static final String TIMEOUT = "HTTP/1.1 408 Request Timeout";
  private static final String POST =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";

  @Test
  void silentConnectionIsClosedSilently() {
    try (TestServer server = TestServer.paths()) {
      server.advanceSeconds(74);
      server.assertOpen();
      server.advanceSeconds(1);
      assertEquals("", server.sent());
      server.assertLingers();
    }
  }

  @Test
  void keepAliveCountsFromTheLastResponse() {
    try (TestServer server = TestServer.paths()) {
      for (int i = 0; i < 3; i++) {
        server.advanceSeconds(70).get("/");
        assertTrue(server.sent().endsWith("/"));
      }
      server.advanceSeconds(75);
      assertEquals("", server.sent());
      server.assertLingers();
    }
  }

  @Test
  void trickledHeadIs408AfterTenSeconds() {
    try (TestServer server = TestServer.paths()) {
      server.advanceSeconds(60);
      for (int i = 0; i < 9; i++) {
        server.send("G").advanceSeconds(1);
      }
      server.send("G");
      server.assertOpen();
      server.advanceSeconds(1);
      String answer = server.sent();
      assertTrue(answer.startsWith(TIMEOUT) && answer.contains("connection: close"), answer);
      server.assertLingers();
    }
  }

  @Test
  void headBehindAnotherRequestHasItsOwnDeadline() {
    try (TestServer server = TestServer.manual()) {
      server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET");
      server.advanceSeconds(50);
      server.assertOpen();
      server.last().respond(HttpResponse.text("x"));
      server.sent();
      server.advanceSeconds(9);
      server.assertOpen();
      server.advanceSeconds(1);
      assertEquals(TIMEOUT, server.sentStatus());
    }
  }

  @Test
  void exchangeWithoutProgressIs503() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").advanceSeconds(59);
      server.assertOpen();
      server.advanceSeconds(1);
      assertEquals("HTTP/1.1 503 Service Unavailable", server.sentStatus());
      server.assertLingers();
    }
  }

  @Test
  void responseWithoutProgressIsAborted() {
    try (TestServer server = TestServer.manual()) {
      OutgoingBody body = server.get("/").last().respond(TestServer.head(-1));
      for (int i = 0; i < 5; i++) {
        server.advanceSeconds(50);
        body.write(TestServer.bytes("x"));
        server.assertOpen();
      }
      server.advanceSeconds(60);
      server.assertClosed();
      assertEquals(Outcome.Kind.TIMEOUT, server.outcomes().getFirst().kind());
    }
  }

  @Test
  void idleTimeoutOfOneExchangeCanBeReplaced() {
    try (TestServer server =
        new TestServer(x -> x.limits(x.limits().withIdleTimeout(Duration.ZERO)))) {
      server.get("/").advanceSeconds(3600);
      server.assertOpen();
      server.last().respond(HttpResponse.text("x"));
      assertEquals(TestServer.ok("x"), server.sent());
    }
  }

  @Test
  void idleTimeoutCanBeShortenedWhileTheExchangeWaits() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").advanceSeconds(10);
      server.last().limits(ExchangeLimits.DEFAULT.withIdleTimeout(Duration.ofSeconds(12)));
      server.advanceSeconds(2);
      assertEquals("HTTP/1.1 503 Service Unavailable", server.sentStatus());
    }
  }

  @Test
  void slowBodyIs408() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      BodyLog.of(server.last());
      server.send("x".repeat(1200)).advanceSeconds(5);
      server.assertOpen();
      for (int i = 0; i < 5; i++) {
        server.send("x").advanceSeconds(1);
      }
      assertEquals(TIMEOUT, server.sentStatus());
      assertEquals(1, server.outcomes().size());
      server.assertLingers();
    }
  }

  @Test
  void slowBodyInsideAResponseCutsTheConnection() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      BodyLog.of(server.last());
      server.last().respond(TestServer.head(-1)).flush();
      server.peer.runTasks();
      server.advanceSeconds(5);
      server.assertClosed();
      assertEquals(1, server.outcomes().size());
    }
  }

  @Test
  void rateIsNotJudgedWhileWeDoNotRead() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST).advanceSeconds(50);
      BodyLog log = BodyLog.manual(server.last());
      log.pull();
      server.advanceSeconds(4);
      server.send("x").advanceSeconds(50);
      log.pull();
      server.peer.runTasks();
      server.assertOpen();
    }
  }

  /// A reader that pauses after each piece does not start a new window for a peer that sends
  /// slowly.
  @Test
  void pausingDoesNotRestartTheWindow() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      BodyLog log = BodyLog.manual(server.last());
      log.pull();
      for (int i = 0; i < 5; i++) {
        server.assertOpen();
        server.advanceSeconds(1);
        server.send("x");
        log.pull();
        server.peer.runTasks();
      }
      server.advanceSeconds(1);
      assertEquals(TIMEOUT, server.sentStatus());
    }
  }

  @Test
  void noRateNoLimit() {
    Http1Settings settings = Http1Settings.DEFAULT.withExchanges(ExchangeLimits.UNLIMITED);
    try (TestServer server = new TestServer(settings, BodyLog::of)) {
      server.send(POST).advanceSeconds(3600);
      server.assertOpen();
    }
  }

  @Test
  void slowReaderOfAResponseIsNoSlowSender() {
    try (TestServer server = TestServer.paths()) {
      server.peer.setWindow(0);
      server.get("/1").send("GET /2 HTTP/1.1\r\n");
      server.advanceSeconds(20);
      server.assertOpen();
      server.peer.setWindow(Long.MAX_VALUE);
      server.send("Host: a\r\n\r\n");
      assertTrue(server.sent().endsWith("/2"));
    }
  }
}
