package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that violate the protocol, and connections that close in every phase.
class ClientFailureTest {

  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n",
        "HTTP/1.1 200 OK\ncontent-length: 1\n\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nbad name: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n",
        "HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "<html>this is no HTTP</html>\r\n\r\n",
      })
  void violationResetsWithProtocolError(String wire) {
    try (TestClient client = new TestClient()) {
      ClientLog log = client.get();
      client.answer(wire);
      assertEquals(ResetCode.PROTOCOL_ERROR, log.outcome().code(), log.summary());
      assertEquals(Outcome.Kind.RESET, log.outcome().kind());
      assertTrue(log.outcome().cause() instanceof Http1Exception);
      client.assertClosed();
    }
  }

  @Test
  void floodOfInformationalResponsesIsRefused() {
    try (TestClient client = new TestClient()) {
      ClientLog log = client.get();
      client.answer("HTTP/1.1 102 Processing\r\n\r\n".repeat(9));
      assertEquals(ResetCode.PROTOCOL_ERROR, log.outcome().code());
      client.assertClosed();
    }
  }

  @Test
  void headWithoutEndIsRefused() {
    try (TestClient client = new TestClient()) {
      ClientLog log = client.get();
      client.answer("HTTP/1.1 200 OK\r\nx: ");
      for (int i = 0; i < 40 && !client.peer.isClosed(); i++) {
        client.answer("x".repeat(1024));
      }
      assertEquals(ResetCode.PROTOCOL_ERROR, log.outcome().code());
      client.assertClosed();
    }
  }

  @Test
  void bytesWithoutRequestCloseTheConnection() {
    try (TestClient client = new TestClient()) {
      client.answer(OK);
      client.assertClosed();
    }
  }

  @Test
  void bytesBehindTheResponseCloseTheConnection() {
    try (TestClient client = new TestClient()) {
      ClientLog log = client.get();
      client.answer(OK + OK);
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      client.assertClosed();
    }
  }

  @Test
  void responseThatPrecedesItsRequestIsNotTakenForIt() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.post()).readAll();
      client.answer(OK);
      assertTrue(log.outcome().isUnprocessed());
      assertEquals("[failed, PEER_GONE REFUSED] ", log.summary());
      client.assertClosed();
    }
  }

  @Test
  void receivedBytesAreReadAfterAReset() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
      client.answer("HTTP/1.1 413 No\r\nconnection: close\r\ncontent-length: 6\r\n\r\nabcdef");
      client.reset();
      log.readAll();
      client.sent();
      assertEquals("[head 413, end, COMPLETED] abcdef", log.summary());
      client.assertClosed();
    }
  }

  @Test
  void endWithoutBodyIsReadAfterAReset() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
      client.answer("HTTP/1.1 204 No\r\n\r\n").reset();
      log.readAll();
      client.sent();
      assertEquals("[head 204, end, COMPLETED] ", log.summary());
    }
  }

  @Test
  void resetInsideABodyFailsBehindTheReceivedBytes() {
    for (String framing :
        new String[] {"content-length: 9", "transfer-encoding: chunked", "x: y"}) {
      try (TestClient client = new TestClient()) {
        ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
        client.answer("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n3\r\nabc\r\n").reset();
        client.sent();
        log.readAll();
        client.sent();
        assertTrue(log.body().contains("abc"), framing);
        assertEquals(Outcome.Kind.PEER_GONE, log.outcome().kind(), framing);
        assertEquals("failed", log.events.get(log.events.size() - 2), framing);
      }
    }
  }

  @Test
  void bytesThatNobodyReadsAfterAResetAreReleasedAtTheIdleTimeout() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc").reset();
      client.advance(java.time.Duration.ofSeconds(61));
      assertFalse(log.outcome().isCompleted());
    }
  }

  static Stream<String> responses() {
    return Stream.of(
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nt: 1\r\n\r\n",
        "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1\r\n\r\na");
  }

  @ParameterizedTest
  @MethodSource("responses")
  void truncationAtEveryByteIsNoticed(String wire) {
    for (int length = 0; length < wire.length(); length++) {
      for (boolean reset : new boolean[] {false, true}) {
        try (TestClient client = new TestClient()) {
          ClientLog log = client.get();
          if (length > 0) {
            client.answer(wire.substring(0, length));
          }
          end(client, reset);
          assertEquals(Outcome.Kind.PEER_GONE, log.outcome().kind(), wire.substring(0, length));
          assertFalse(log.outcome().isUnprocessed());
          client.assertClosed();
        }
      }
    }
  }

  private static void end(TestClient client, boolean reset) {
    if (reset) {
      client.reset();
    } else {
      client.peer.endInput();
    }
    client.peer.runTasks();
  }

  /// Opens an exchange on a connection that has carried one, ends the connection, and checks
  /// whether the request may be repeated.
  private static void endAfter(
      boolean reused, HttpMethod method, Consumer<TestClient> before, boolean unprocessed) {
    for (boolean reset : new boolean[] {false, true}) {
      try (TestClient client = new TestClient()) {
        if (reused) {
          client.get();
          client.answer(OK);
        }
        ClientLog log = new ClientLog(client.open(method, "http://a/")).readAll();
        before.accept(client);
        end(client, reset);
        assertEquals(Outcome.Kind.PEER_GONE, log.outcome().kind());
        assertEquals(unprocessed, log.outcome().isUnprocessed(), method + " " + log.outcome());
      }
    }
  }

  @Test
  void idempotentRequestOnReusedConnectionIsUnprocessedBeforeTheFirstByte() {
    endAfter(true, HttpMethod.GET, _ -> {}, true);
    endAfter(true, HttpMethod.PUT, _ -> {}, true);
    endAfter(true, HttpMethod.DELETE, _ -> {}, true);
  }

  @Test
  void otherRequestsThatWereSentMayHaveBeenProcessed() {
    endAfter(true, HttpMethod.POST, _ -> {}, false);
    endAfter(true, HttpMethod.PATCH, _ -> {}, false);
    endAfter(false, HttpMethod.GET, _ -> {}, false);
    endAfter(true, HttpMethod.GET, client -> client.answer("H"), false);
    endAfter(true, HttpMethod.GET, client -> client.answer("HTTP/1.1 103 x\r\n\r\n"), false);
  }

  @Test
  void requestOfWhichNothingWasSentIsUnprocessed() {
    for (boolean reset : new boolean[] {false, true}) {
      try (TestClient client = new TestClient()) {
        ClientLog log = new ClientLog(client.post()).readAll();
        end(client, reset);
        assertTrue(log.outcome().isUnprocessed());
      }
    }
  }

  @Test
  void requestsThatWaitedAreUnprocessed() {
    try (TestClient client = new TestClient()) {
      client.get();
      var second = client.http1().connection().open(RequestHead.get("http://a/2"));
      client.reset();
      client.peer.runTasks();
      assertTrue(
          second.cause() instanceof dev.quickwater.http.ExchangeEndedException ended
              && ended.outcome().isUnprocessed());
    }
  }

  @Test
  void endOfIdleConnectionClosesIt() {
    try (TestClient client = new TestClient()) {
      client.get();
      client.answer(OK);
      client.peer.endInput();
      client.assertClosed();
      assertTrue(client.http1().isClosed());
    }
  }

  @Test
  void resetWhileTheResponseArrivesClosesTheConnection() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.get("http://a/"));
      ClientLog log = new ClientLog(x).readAll();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
      x.reset(ResetCode.CANCEL);
      client.assertClosed();
      assertEquals("[head 200, failed, RESET CANCEL] abc", log.summary());
    }
  }

  @Test
  void refusedHeldBodyIsReleased() {
    try (TestClient client = new TestClient()) {
      ClientExchange x =
          client.open(
              RequestHead.builder(HttpMethod.POST, "http://a/")
                  .add("expect", "100-continue")
                  .contentLength(3)
                  .build());
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(client.peer.loop().allocator().allocate(3).writeBytes(new byte[3]));
      client.sent();
      client.reset();
      client.peer.runTasks();
      assertEquals(Outcome.Kind.PEER_GONE, log.outcome().kind());
    }
  }
}
