package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.OutgoingBody;
import org.junit.jupiter.api.Test;

/// 100 (Continue) is sent when the body is requested and not before (RFC 9110 section 10.1.1).
final class ContinueTest {

  private static final String POST =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  @Test
  void isSentWhenTheBodyIsAskedFor() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      assertEquals("", server.sent());
      BodyLog log = BodyLog.of(server.last());
      assertEquals(CONTINUE, server.sent());
      server.send("abc");
      assertEquals("abc|", log.toString());
      server.last().respond(HttpResponse.text("x"));
      assertEquals(ok("x"), server.sent());
      server.assertOpen();
    }
  }

  @Test
  void isSentBeforeADeferredHead() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      OutgoingBody body = server.last().respond(TestServer.head(-1));
      assertEquals("", server.sent());
      BodyLog log = BodyLog.of(server.last());
      assertEquals(CONTINUE, server.sent());
      server.send("abc");
      assertEquals("abc|", log.toString());
      body.end();
      assertEquals("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", server.sent());
      server.assertOpen();
    }
  }

  @Test
  void isNotSentBeforeARefusal() {
    try (TestServer server = new TestServer(x -> x.limits(ExchangeLimits.DEFAULT.withMaxBody(2)))) {
      server.send(POST);
      BodyLog.of(server.last());
      String sent = server.sent();
      assertTrue(sent.startsWith("HTTP/1.1 413 "), sent);
      assertTrue(sent.contains("connection: close"), sent);
    }
  }

  @Test
  void isSentOnce() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST);
      BodyLog log = BodyLog.manual(server.last());
      log.pull();
      server.send("a");
      log.pull();
      server.send("b");
      assertEquals("ab", log.toString());
      assertEquals(CONTINUE, server.sent());
    }
  }

  @Test
  void answerWithoutItClosesForTheBodyMayComeOrNot() {
    try (TestServer server = new TestServer(x -> x.respond(HttpResponse.text("x")))) {
      server.send(POST);
      assertTrue(server.sent().contains("connection: close"));
      server.send("abcGET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertEquals(1, server.exchanges.size());
      server.assertLingers();
    }
  }

  @Test
  void streamedAnswerWithoutItClosesToo() {
    try (TestServer server =
        new TestServer(x -> {
          OutgoingBody out = x.respond(TestServer.head(-1));
          out.write(TestServer.bytes("x"));
          out.end();
        })) {
      server.send(POST);
      assertTrue(server.sent().contains("connection: close"));
      server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertEquals(1, server.exchanges.size());
      server.assertLingers();
    }
  }

  @Test
  void isNotForTheOldVersionNorWithoutABody() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nExpect: 100-continue\r\n\r\n");
      BodyLog.of(server.last());
      server.peer.runTasks();
      assertEquals("", server.sent());
      server.last().respond(HttpResponse.text("x"));
      assertEquals(ok("x"), server.sent());
      server.send("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
      BodyLog.of(server.last());
      server.peer.runTasks();
      assertEquals("", server.sent());
    }
  }

  @Test
  void readAllRequestsNoBodyThatIsAnnouncedTooLarge() {
    try (TestServer server =
        new TestServer(x -> x.respond(x.readAll(10).map(_ -> HttpResponse.text("x"))))) {
      server.send(
          "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");
      assertEquals("HTTP/1.1 413 Content Too Large", server.sentStatus());
      server.assertLingers();
    }
  }
}
