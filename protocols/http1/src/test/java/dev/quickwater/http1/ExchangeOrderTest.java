package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One exchange at a time, in order.
final class ExchangeOrderTest {

  @Test
  void pipelinedRequestsAreAnsweredInOneRead() {
    try (TestServer server = TestServer.paths()) {
      String get = "GET /%d HTTP/1.1\r\nHost: a\r\n\r\n";
      server.send(get.formatted(1) + get.formatted(2) + get.formatted(3));
      assertEquals(ok("/1") + ok("/2") + ok("/3"), server.sent());
      server.assertOpen();
    }
  }

  @Test
  void nextHeadIsNotParsedBeforeTheResponseHasEnded() {
    try (TestServer server = TestServer.manual()) {
      server.get("/1").get("/2").send("broken\r\n\r\n");
      assertEquals(1, server.exchanges.size());
      server.last().respond(HttpResponse.text("1"));
      server.peer.runTasks();
      assertEquals(2, server.exchanges.size());
      assertEquals(ok("1"), server.sent());
      server.last().respond(HttpResponse.text("2"));
      assertTrue(server.sent().startsWith(ok("2") + "HTTP/1.1 400"));
      server.assertLingers();
    }
  }

  @Test
  void responseEndedInsideTheHandlerLetsTheNextBegin() {
    try (TestServer server = new TestServer(x -> x.respond(HttpResponse.text("x")))) {
      for (int i = 0; i < 100; i++) {
        server.get("/");
      }
      assertEquals(ok("x").repeat(100), server.sent());
    }
  }

  @Test
  void bytesOfLaterRequestsAreHeldUpToALimit() {
    Http1Settings settings =
        Http1Settings.DEFAULT.withInput(InputLimits.DEFAULT.withMaxBuffered(1024));
    try (TestServer server = new TestServer(settings, _ -> {})) {
      server.get("/1");
      assertTrue(server.peer.isReading());
      for (int i = 0; i < 100; i++) {
        server.get("/" + i);
      }
      assertFalse(server.peer.isReading());
      while (server.exchanges.size() < 101) {
        server.last().respond(HttpResponse.text("x"));
        server.peer.runTasks();
      }
      assertTrue(server.peer.isReading());
      server.last().respond(HttpResponse.text("x"));
      assertEquals(101, server.sent().split("HTTP/1.1 200", -1).length - 1);
    }
  }

  @Test
  void manyFailingHandlersDoNotNest() {
    try (TestServer server =
        new TestServer(_ -> {
          throw new IllegalStateException("a fault of the handler");
        })) {
      server.send("GET / HTTP/1.1\r\nHost:\r\n\r\n".repeat(2000));
      assertEquals(2000, server.exchanges.size());
      assertEquals(2000, server.sent().split("HTTP/1.1 500", -1).length - 1);
    }
  }

  @Test
  void bodyIsOfTheExchangeItCameWith() {
    List<String> bodies = new java.util.ArrayList<>();
    try (TestServer server =
        new TestServer(x -> {
          x.readAll(100)
              .onComplete(f -> {
                bodies.add(new String(f.value()));
                x.respond(HttpResponse.text("x"));
              });
        })) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHo");
      server.send(
          "st:\r\n\r\nPOST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r");
      server.send("\n1\r\ny\r\n0\r\n\r\n");
      assertEquals(List.of("abc", "", "xy"), bodies);
      assertEquals(ok("x").repeat(3), server.sent());
    }
  }
}
