package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.Outcome.Kind;
import dev.quickwater.http.ResetCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How exchanges end, and what their callbacks receive.
final class OutcomeTest {

  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";

  private static Kind kind(TestServer server) {
    return server.outcomes().getLast().kind();
  }

  @Test
  void completedExchangeHasStatusAndCounts() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST + "abcdefghi");
      BodyLog.of(server.last());
      server.peer.runTasks();
      server.last().respond(HttpResponse.text(HttpStatus.CREATED, "hello"));
      assertEquals(
          List.of(new Outcome(Kind.COMPLETED, ResetCode.NO_ERROR, HttpStatus.CREATED, 9, 5, null)),
          server.outcomes());
    }
  }

  @Test
  void resetOfTheConnectionIsPeerGone() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").reset();
      assertEquals(Kind.PEER_GONE, kind(server));
      assertNotNull(server.outcomes().getFirst().cause());
      server.assertClosed();
    }
  }

  @Test
  void resetInsideAStreamedResponseIsPeerGone() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").last().respond(TestServer.head(10)).write(TestServer.bytes("abc"));
      server.reset();
      assertEquals(List.of(3L), server.outcomes().stream().map(Outcome::bytesSent).toList());
      assertEquals(HttpStatus.OK, server.outcomes().getFirst().status());
    }
  }

  @Test
  void endOfThePeersDirectionIsPeerGone() {
    try (TestServer server = TestServer.manual()) {
      server.get("/").peer.endInput();
      assertEquals(Kind.PEER_GONE, kind(server));
      server.assertClosed();
    }
  }

  @Test
  void endOfThePeersDirectionFailsAReader() {
    try (TestServer server = TestServer.manual()) {
      server.send(POST + "abc");
      BodyLog log = BodyLog.of(server.last());
      server.peer.runTasks();
      server.peer.endInput();
      assertEquals("abc!", log.toString());
      assertInstanceOf(ExchangeEndedException.class, log.failure);
      assertEquals(Kind.PEER_GONE, kind(server));
    }
  }

  @Test
  void ownResetIsReset() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      x.reset(ResetCode.CANCEL);
      x.reset(ResetCode.INTERNAL_ERROR);
      server.assertClosed();
      assertEquals(
          List.of(new Outcome(Kind.RESET, ResetCode.CANCEL, null, 0, 0, null)), server.outcomes());
    }
  }

  @Test
  void violationInTheBodyFailsTheReaderAndIsAnswered() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n");
      BodyLog log = BodyLog.of(server.last());
      server.send("nonsense");
      assertEquals("!", log.toString());
      assertEquals("HTTP/1.1 400 Bad Request", server.sentStatus());
      assertEquals(Kind.COMPLETED, kind(server));
      server.assertLingers();
    }
  }

  @Test
  void callbacksOfTheEndRunOnceInOrderAndAfterAllOthers() {
    List<String> order = new ArrayList<>();
    try (TestServer server =
        new TestServer(x -> {
          x.onEnd(_ -> order.add("first"));
          x.onEnd(_ -> {
            throw new IllegalStateException("a fault of the handler");
          });
          x.onEnd(_ -> order.add("last"));
          x.respond(HttpResponse.text("x"));
          order.add("responded");
        })) {
      server.get("/");
      server.peer.runTasks();
      assertEquals(List.of("responded", "first", "last"), order);
      HttpExchange x = server.last();
      x.onEnd(outcome -> order.add("late " + outcome.isCompleted()));
      assertEquals(3, order.size());
      server.peer.runTasks();
      assertEquals("late true", order.getLast());
      server.reset();
      server.peer.runTasks();
      assertEquals(4, order.size());
    }
  }

  @Test
  void callsAfterTheEndHaveNoEffect() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      server.reset();
      server.peer.runTasks();
      x.respond(HttpResponse.text("too late"));
      x.respond(TestServer.head(-1)).end();
      x.fail(new IllegalStateException("too late"));
      x.inform(HttpStatus.EARLY_HINTS, HttpHeaders.EMPTY);
      x.requestBody().read(BodyLog.manual(x));
      x.onDrain(() -> {});
      x.reset(ResetCode.CANCEL);
      server.peer.runTasks();
      assertEquals("", server.sent());
      assertEquals(1, server.outcomes().size());
    }
  }

  @Test
  void drainIsAnnouncedToExchanges() {
    List<String> drains = new ArrayList<>();
    try (TestServer server = new TestServer(x -> x.onDrain(() -> drains.add("drain")))) {
      server.get("/").http1().drain();
      server.http1().drain();
      server.peer.runTasks();
      assertEquals(List.of("drain"), drains);
      server.last().respond(HttpResponse.text("x"));
      assertTrue(server.sent().contains("connection: close"));
    }
  }

  @Test
  void callbackOfTheEndMayRegisterAnother() {
    List<String> order = new ArrayList<>();
    try (TestServer server =
        new TestServer(x -> {
          x.onEnd(_ -> {
            order.add("first");
            x.onEnd(_ -> order.add("nested"));
          });
          x.onEnd(_ -> order.add("second"));
          x.respond(HttpResponse.text("x"));
        })) {
      server.get("/");
      server.peer.runTasks();
      assertEquals(List.of("first", "second", "nested"), order);
    }
  }

  @Test
  void contentThatIsNotSentIsNotCounted() {
    try (TestServer server = TestServer.paths()) {
      server.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
      assertEquals(0, server.outcomes().getFirst().bytesSent());
    }
  }
}
