package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import org.junit.jupiter.api.Test;

/// The end of a copied body when the other body or its exchange ends first, as in a proxy that
/// loses one of its peers.
final class PipeEndTest {

  private static final String ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n";

  private static final String PART = "x".repeat(50_000);

  private static ClientLog answered(TestClient client) {
    ClientLog log = new ClientLog(client.open(dev.quickwater.http.RequestHead.get("http://a/")));
    client.answer(ANSWER);
    return log;
  }

  private static void assertCancelled(TestClient client, ClientLog log) {
    client.sent();
    assertEquals(Outcome.Kind.RESET, log.outcome().kind());
    assertEquals(ResetCode.CANCEL, log.outcome().code());
    client.assertClosed();
  }

  @Test
  void responseWithoutReceiverIsCancelled() {
    try (TestServer front = TestServer.manual();
        TestClient client = new TestClient()) {
      ClientLog log = answered(client);
      OutgoingBody out = front.get("/").last().respond(ResponseHead.of(HttpStatus.NO_CONTENT));
      log.exchange.responseBody().pipeTo(out);
      client.sent();
      assertCancelled(client, log);
    }
  }

  @Test
  void responseIsCancelledWhenTheReceiverIsGoneBetweenPieces() {
    try (TestServer front = TestServer.manual();
        TestClient client = new TestClient()) {
      ClientLog log = answered(client);
      log.exchange.responseBody().pipeTo(front.get("/").last().respond(TestServer.head(9)));
      client.sent();
      front.reset();
      front.sent();
      assertCancelled(client, log);
    }
  }

  @Test
  void responseIsCancelledWhenTheReceiverIsGoneWhileThePipeWaits() {
    try (TestServer front = TestServer.manual();
        TestClient client = new TestClient()) {
      front.peer.setWindow(0);
      OutgoingBody out = front.get("/").last().respond(TestServer.head(-1));
      out.write(TestServer.bytes("x".repeat(1 << 20)));
      out.flush();
      assertFalse(out.isWritable());
      ClientLog log = answered(client);
      log.exchange.responseBody().pipeTo(out);
      client.sent();
      front.reset();
      front.sent();
      assertCancelled(client, log);
    }
  }

  @Test
  void requestIsDroppedWhenItsReceiverIsGone() {
    try (TestServer front = TestServer.manual();
        TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.post());
      front.send(POST).send(PART);
      front.last().requestBody().pipeTo(log.exchange.requestBody());
      front.sent();
      client.sent();
      client.reset();
      assertFalse(log.outcome().isCompleted());
      front.send(PART).sent();
      front.send(PART).sent();
      front.send(PART).sent();
      front.last().respond(HttpResponse.text("x"));
      assertEquals(TestServer.ok("x"), front.sent());
      front.assertOpen();
    }
  }

  @Test
  void requestIsDroppedWhenItsReceiverRefusesIt() {
    try (TestServer front = TestServer.manual();
        TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.post());
      front.send(POST).send(PART);
      front.last().requestBody().pipeTo(log.exchange.requestBody());
      front.sent();
      client.sent();
      client.answer("HTTP/1.1 413 No\r\nconnection: close\r\ncontent-length: 2\r\n\r\n");
      front.send(PART).sent();
      front.send(PART).sent();
      front.send(PART).sent();
      front.last().respond(HttpResponse.text("x"));
      assertEquals(TestServer.ok("x"), front.sent());
      front.assertOpen();
    }
  }
}
