package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
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
      server.advanceSeconds(60);
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
  void applicationMayTakeItsTime() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").advanceSeconds(3600);
      server.assertOpen();
      server.send(POST.replace("POST", "GET")).advanceSeconds(3600);
      server.assertOpen();
    }
  }

  @Test
  void slowBodyIs408() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      server.last().read(new BodyLog());
      server.send("x".repeat(1200)).advanceSeconds(5);
      server.assertOpen();
      for (int i = 0; i < 5; i++) {
        server.send("x").advanceSeconds(1);
      }
      assertEquals(TIMEOUT, server.sentStatus());
      assertEquals(1, server.aborts.size());
      server.assertLingers();
    }
  }

  @Test
  void slowBodyInsideAResponseCutsTheConnection() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      server.last().read(new BodyLog());
      server.last().respond(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, -1));
      server.advanceSeconds(5);
      server.assertClosed();
      assertEquals(1, server.aborts.size());
    }
  }

  @Test
  void rateIsNotJudgedWhileWeDoNotRead() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST).advanceSeconds(100);
      HttpExchange x = server.last();
      x.read(new BodyLog());
      server.advanceSeconds(4);
      x.pause();
      server.send("x").advanceSeconds(100);
      x.resume();
      server.peer.runTasks();
      server.assertOpen();
    }
  }

  /// A reader that pauses for each piece does not give a trickling peer a fresh window each time.
  @Test
  void pausingDoesNotRestartTheWindow() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      HttpExchange x = server.last();
      x.read(new BodyLog());
      for (int i = 0; i < 5; i++) {
        server.assertOpen();
        server.advanceSeconds(1);
        x.pause();
        server.send("x");
        x.resume();
      }
      server.advanceSeconds(1);
      assertEquals(TIMEOUT, server.sentStatus());
    }
  }

  @Test
  void noRateNoLimit() {
    Http1Settings settings = Http1Settings.DEFAULT.withMinBodyRate(0);
    try (TestServer server = new TestServer(settings, x -> x.read(new BodyLog()))) {
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
