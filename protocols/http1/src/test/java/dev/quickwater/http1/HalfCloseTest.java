package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import org.junit.jupiter.api.Test;

/// If the client ends its direction, complete requests still receive complete responses.
final class HalfCloseTest {

  private static final Http1Settings SETTINGS = Http1Settings.DEFAULT.withHalfClose(true);

  private static TestServer manual() {
    return new TestServer(SETTINGS, _ -> {});
  }

  private static TestServer paths() {
    return new TestServer(SETTINGS, x -> x.respond(HttpResponse.text(x.request().path())));
  }

  @Test
  void answerThatIsBeingSentArrives() {
    String large = "x".repeat(1 << 20);
    try (TestServer server = new TestServer(SETTINGS, x -> x.respond(HttpResponse.text(large)))) {
      server.peer.setWindow(1000);
      server.get("/");
      server.peer.endInput();
      assertEquals(1000 - 37, server.sent().length(), 40);
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      assertTrue(server.sent().endsWith("xxx"));
      server.assertClosed();
    }
  }

  @Test
  void openExchangeIsAnswered() {
    try (TestServer server = manual()) {
      server.get("/").peer.endInput();
      server.assertOpen();
      assertEquals(0, server.aborted());
      server.last().respond(HttpResponse.text("x"));
      server.peer.runTasks();
      assertEquals(ok("x"), server.sent());
      server.assertClosed();
    }
  }

  @Test
  void pipelinedRequestsAreAllAnswered() {
    try (TestServer server = manual()) {
      server.get("/1").get("/2").get("/3").peer.endInput();
      for (int i = 1; i <= 3; i++) {
        assertEquals(i, server.exchanges.size());
        server.last().respond(HttpResponse.text("x"));
        server.peer.runTasks();
      }
      server.peer.runTasks();
      assertEquals(ok("x").repeat(3), server.sent());
      server.assertClosed();
    }
  }

  @Test
  void idleConnectionCloses() {
    try (TestServer server = paths()) {
      server.get("/").peer.endInput();
      server.peer.runTasks();
      server.assertClosed();
    }
  }

  @Test
  void headThatIsCutOffIsNoRequest() {
    try (TestServer server = paths()) {
      server.send("GET / HT").peer.endInput();
      server.peer.runTasks();
      assertEquals("", server.sent());
      server.assertClosed();
    }
  }

  @Test
  void bodyThatIsCutOffIsAborted() {
    for (String body : new String[] {"", "abc"}) {
      try (TestServer server = manual()) {
        server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 9\r\n\r\n" + body);
        BodyLog log = BodyLog.of(server.last());
        server.peer.runTasks();
        server.peer.endInput();
        server.peer.runTasks();
        assertEquals(body + "!", log.toString());
        assertEquals(1, server.aborted());
        server.assertClosed();
      }
    }
  }

  @Test
  void bodyThatIsThereIsStillRead() {
    try (TestServer server = manual()) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 3\r\n\r\nabc").peer.endInput();
      HttpExchange x = server.last();
      BodyLog log = BodyLog.of(x);
      server.peer.runTasks();
      assertEquals("abc|", log.toString());
      assertEquals(0, server.aborted());
      x.respond(HttpResponse.text("x"));
      server.peer.runTasks();
      assertEquals(ok("x"), server.sent());
      server.assertClosed();
    }
  }

  @Test
  void lastBytesBeforeAPauseDoNotMakeTheBodyIncomplete() {
    try (TestServer server = manual()) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 3\r\n\r\n");
      HttpExchange x = server.last();
      BodyLog log = BodyLog.manual(x);
      log.pull();
      server.send("abc").peer.endInput();
      assertEquals(0, server.aborted());
      log.pull();
      server.peer.runTasks();
      assertEquals("abc|", log.toString());
    }
  }
}
