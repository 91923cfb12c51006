package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DrainTest {

  private static final String CLOSED = ok("x").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");

  @Test
  void idleConnectionCloses() {
    try (TestServer server = TestServer.manual()) {
      server.http1().drain();
      assertEquals("", server.sent());
      server.assertLingers();
    }
  }

  @Test
  void busyConnectionAnswersWithClose() {
    try (TestServer server = TestServer.manual()) {
      server.get("/1").get("/2").http1().drain();
      server.assertOpen();
      server.last().respond(HttpResponse.text("x"));
      assertEquals(CLOSED, server.sent());
      assertEquals(1, server.exchanges.size());
      server.assertLingers();
    }
  }

  @Test
  void streamedResponseIsFinished() {
    try (TestServer server = TestServer.manual()) {
      OutgoingBody body = server.get("/").last().respond(TestServer.head(-1));
      body.flush();
      server.http1().drain();
      server.assertOpen();
      body.end();
      server.assertLingers();
    }
  }

  @Test
  void headThatHasBegunIsFinished() {
    try (TestServer server = TestServer.paths()) {
      server.send("GET /late HTTP/1.1\r\nHo").http1().drain();
      server.send("st: a\r\n\r\n");
      String sent = server.sent();
      assertTrue(sent.contains("connection: close") && sent.endsWith("/late"), sent);
      server.assertLingers();
    }
  }

  @Test
  void bodyThatIsOnlyDroppedIsNotWaitedFor() {
    try (TestServer server = new TestServer(x -> x.respond(HttpResponse.text("x")))) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 9\r\n\r\n");
      server.assertOpen();
      server.http1().drain();
      server.assertLingers();
    }
  }

  @Test
  void drainingTwiceIsDrainingOnce() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").http1().drain();
      server.http1().drain();
      server.last().respond(HttpResponse.text("x"));
      server.http1().drain();
      assertEquals(CLOSED, server.sent());
      assertFalse(server.peer.isClosed());
    }
  }

  @Test
  void exchangeThatBeginsInADrainIsNotified() {
    List<String> drains = new ArrayList<>();
    try (TestServer server = new TestServer(x -> x.onDrain(() -> drains.add("drain")))) {
      server.send("GET / HTTP/1.1\r\nHo").http1().drain();
      server.send("st: a\r\n\r\n");
      server.peer.runTasks();
      assertEquals(List.of("drain"), drains);
      server.last().respond(HttpResponse.text("x"));
      server.assertLingers();
    }
  }

  @Test
  void unreadBodyDoesNotDelayADrain() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
      BodyLog log = BodyLog.manual(server.last());
      log.pull();
      server.peer.runTasks();
      server.send("1\r");
      server.last().respond(ResponseHead.of(HttpStatus.OK)).end();
      server.peer.runTasks();
      server.http1().drain();
      server.assertLingers();
    }
  }
}
