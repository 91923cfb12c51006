package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// In virtual time.
class ClientDeadlinesTest {

  private static final Http1Settings SETTINGS =
      Http1Settings.DEFAULT.withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(30));

  private static void assertTimedOut(TestClient client, ClientLog log, String setting) {
    assertEquals(Outcome.Kind.TIMEOUT, log.outcome().kind());
    Throwable cause = assertNotNull(log.outcome().cause());
    assertTrue(String.valueOf(cause.getMessage()).contains(setting), cause.getMessage());
    client.assertClosed();
  }

  private static Throwable assertNotNull(@org.jspecify.annotations.Nullable Throwable cause) {
    if (cause == null) {
      throw new AssertionError("no cause");
    }
    return cause;
  }

  @Test
  void responseThatDoesNotBeginTimesOut() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = client.get();
      client.sent();
      client.advance(Duration.ofSeconds(19));
      assertFalse(client.peer.isClosed());
      client.advance(Duration.ofSeconds(1));
      assertTimedOut(client, log, "head");
    }
  }

  @Test
  void headThatTricklesTimesOut() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = client.get();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\nx: ");
      for (int i = 0; i < 20; i++) {
        client.advance(Duration.ofSeconds(1));
        if (!client.peer.isClosed()) {
          client.answer("x");
        }
      }
      assertTimedOut(client, log, "head");
    }
  }

  @Test
  void informationalResponseExtendsTheWait() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = client.get();
      client.sent();
      client.advance(Duration.ofSeconds(19)).answer("HTTP/1.1 102 Processing\r\n\r\n");
      client.advance(Duration.ofSeconds(19));
      assertFalse(client.peer.isClosed());
      client.advance(Duration.ofSeconds(1));
      assertTimedOut(client, log, "head");
    }
  }

  @Test
  void bodyThatIsNotReadTimesOut() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
      client.advance(Duration.ofSeconds(61));
      assertTimedOut(client, log, "idleTimeout");
    }
  }

  @Test
  void bodyThatStopsTimesOutByItsRate() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = client.get();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
      client.advance(Duration.ofSeconds(6));
      assertTimedOut(client, log, "minReceiveRate");
    }
  }

  @Test
  void streamOfEventsMayBeSlow() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = client.get();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      for (int i = 0; i < 10; i++) {
        client.advance(Duration.ofSeconds(30));
        client.answer("1\r\na\r\n");
      }
      assertFalse(client.peer.isClosed());
      client.advance(Duration.ofSeconds(61));
      assertTimedOut(client, log, "idleTimeout");
    }
  }

  @Test
  void bodyThatStopsTimesOutWithoutRate() {
    try (TestClient client =
        new TestClient(
            SETTINGS.withExchanges(
                ExchangeLimits.DEFAULT
                    .withMinRates(0, 0)
                    .withIdleTimeout(Duration.ofSeconds(7))))) {
      ClientLog log = client.get();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
      client.advance(Duration.ofSeconds(6));
      assertFalse(client.peer.isClosed());
      client.advance(Duration.ofSeconds(2));
      assertTimedOut(client, log, "idleTimeout");
    }
  }

  @Test
  void requestThatIsNotSentTimesOut() {
    try (TestClient client = new TestClient(SETTINGS)) {
      ClientLog log = new ClientLog(client.post());
      client.advance(Duration.ofSeconds(61));
      assertTimedOut(client, log, "idleTimeout");
    }
  }

  @Test
  void serverThatAcceptsNothingTimesOut() {
    try (TestClient client = new TestClient(SETTINGS)) {
      client.peer.setWindow(0);
      ClientExchange x = client.post();
      ClientLog log = new ClientLog(x);
      x.requestBody().write(TestServer.bytes("x".repeat(100_000)));
      client.sent();
      client.advance(Duration.ofSeconds(70));
      assertEquals(Outcome.Kind.TIMEOUT, log.outcome().kind());
      client.assertClosed();
    }
  }

  @Test
  void idleConnectionCloses() {
    try (TestClient client = new TestClient(SETTINGS)) {
      client.get();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      client.advance(Duration.ofSeconds(29));
      client.assertReusable();
      client.advance(Duration.ofSeconds(2));
      client.assertClosed();
    }
  }

  @Test
  void exchangeInTimeIsNotDisturbed() {
    try (TestClient client = new TestClient(SETTINGS)) {
      for (int i = 0; i < 5; i++) {
        ClientLog log = client.get();
        client.sent();
        client.advance(Duration.ofSeconds(15));
        client.answer("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na");
        assertTrue(log.outcome().isCompleted());
        client.advance(Duration.ofSeconds(15));
      }
      client.assertReusable();
    }
  }
}
