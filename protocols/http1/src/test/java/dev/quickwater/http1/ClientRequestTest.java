package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import org.junit.jupiter.api.Test;

class ClientRequestTest {

  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

  @Test
  void requestWithoutBodyIsSentAtOnce() {
    try (TestClient client = new TestClient()) {
      client.open(RequestHead.get("http://a:81/x?y"));
      assertEquals("GET /x?y HTTP/1.1\r\nhost: a:81\r\n\r\n", client.sent());
    }
  }

  @Test
  void postWithoutBodyAnnouncesLengthZero() {
    try (TestClient client = new TestClient()) {
      client.open(HttpMethod.POST, "http://a/");
      assertEquals("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n", client.sent());
    }
  }

  @Test
  void headWaitsForTheFirstBytes() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(TestClient.post(3));
      assertEquals("", client.sent());
      x.requestBody().write(TestServer.bytes("abc"));
      x.requestBody().end();
      assertEquals("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabc", client.sent());
    }
  }

  @Test
  void headLeavesWithFlush() {
    try (TestClient client = new TestClient()) {
      client.post().requestBody().flush();
      assertEquals(
          "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n", client.sent());
    }
  }

  @Test
  void bodyOfUnknownLengthIsChunkedWithTrailers() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.post();
      x.requestBody().write(TestServer.bytes("abc"));
      x.requestBody().end(HttpHeaders.of("t", "1"));
      assertEquals(
          "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n"
              + "3\r\nabc\r\n0\r\nt: 1\r\n\r\n",
          client.sent());
    }
  }

  @Test
  void bodyOfUnknownLengthThatEndsAtOnceHasLengthZero() {
    try (TestClient client = new TestClient()) {
      client.post().requestBody().end();
      assertEquals("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n", client.sent());
    }
  }

  @Test
  void bytesBeyondTheAnnouncedLengthReset() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(TestClient.post(2));
      assertThrows(
          IllegalStateException.class, () -> x.requestBody().write(TestServer.bytes("abc")));
      ClientLog log = new ClientLog(x);
      client.assertReusable(); // nothing was sent
      assertEquals("[RESET INTERNAL_ERROR] ", log.summary());
    }
  }

  @Test
  void bytesOfRequestWithoutBodyReset() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.get("http://a/"));
      assertThrows(IllegalStateException.class, () -> x.requestBody().write(TestServer.bytes("a")));
      client.assertClosed();
    }
  }

  @Test
  void bodyShorterThanAnnouncedResets() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(TestClient.post(2));
      x.requestBody().write(TestServer.bytes("a"));
      assertThrows(IllegalStateException.class, () -> x.requestBody().end());
      client.assertClosed();
    }
  }

  @Test
  void resetBeforeTheHeadKeepsTheConnection() {
    try (TestClient client = new TestClient()) {
      client.post().reset(ResetCode.CANCEL);
      client.assertReusable();
      assertEquals("", client.sent());
      ClientLog log = client.get();
      client.answer(OK);
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
    }
  }

  @Test
  void proxyIsSentTheAbsoluteForm() {
    try (TestClient client = new TestClient(Http1Settings.DEFAULT, Http1ClientHandler.Peer.PROXY)) {
      client.open(RequestHead.get("http://a:81/x"));
      assertEquals("GET http://a:81/x HTTP/1.1\r\nhost: a:81\r\n\r\n", client.sent());
    }
  }

  @Test
  void drainingConnectionAnnouncesTheClose() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.post();
      client.http1().connection().drain();
      x.requestBody().end();
      assertEquals(
          "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
          client.sent());
      ClientLog log = new ClientLog(x).readAll();
      client.answer(OK);
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      client.assertClosed();
    }
  }

  @Test
  void writabilityFollowsTheConnection() {
    try (TestClient client = new TestClient()) {
      client.peer.setWindow(0);
      ClientExchange x = client.post();
      assertTrue(x.requestBody().isWritable());
      x.requestBody().write(TestServer.bytes("x".repeat(1 << 20)));
      x.requestBody().flush();
      assertFalse(x.requestBody().isWritable());
      boolean[] called = {false};
      x.requestBody().onWritable(() -> called[0] = true);
      client.peer.runTasks();
      assertFalse(called[0]);
      client.peer.setWindow(Long.MAX_VALUE);
      client.sent();
      assertTrue(called[0]);
    }
  }

  @Test
  void exchangesWaitForThoseBefore() {
    try (TestClient client = new TestClient()) {
      ClientLog first = client.get();
      var second = client.http1().connection().open(RequestHead.get("http://a/2"));
      client.sent();
      assertFalse(second.isDone());
      client.answer(OK);
      assertTrue(first.outcome().isCompleted());
      assertTrue(second.isSuccess());
      assertEquals("GET /2 HTTP/1.1\r\nhost: a\r\n\r\n", client.sent());
    }
  }

  @Test
  void cancelledWaiterIsSkipped() {
    try (TestClient client = new TestClient()) {
      client.get();
      client.http1().connection().open(RequestHead.get("http://a/2")).cancel();
      var third = client.http1().connection().open(RequestHead.get("http://a/3"));
      client.sent();
      client.answer(OK);
      assertTrue(third.isSuccess());
      assertEquals("GET /3 HTTP/1.1\r\nhost: a\r\n\r\n", client.sent());
    }
  }

  @Test
  void responseThatEndsBeforeTheRequestDropsTheRest() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.post();
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      client.sent();
      client.answer(OK);
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      x.requestBody().write(TestServer.bytes("more"));
      client.assertClosed();
    }
  }

  @Test
  void refusalWithCloseStopsTheBody() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.post();
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      client.sent();
      client.answer("HTTP/1.1 413 No\r\nconnection: close\r\ncontent-length: 2\r\n\r\n");
      assertFalse(x.requestBody().isWritable());
      client.answer("no");
      assertEquals("[head 413, end, COMPLETED] no", log.summary());
      client.assertClosed();
    }
  }

  @Test
  void responseMayStreamBeforeTheRequestHasEnded() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.post();
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n");
      assertTrue(x.requestBody().isWritable());
      x.requestBody().end();
      assertEquals("0\r\n\r\n", client.sent());
      client.answer("0\r\n\r\n");
      assertEquals("[head 200, end, COMPLETED] abc", log.summary());
      client.assertReusable();
    }
  }

  @Test
  void outcomeCountsBytesBothWays() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(TestClient.post(3));
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      x.requestBody().end();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno");
      Outcome outcome = log.outcome();
      assertEquals(3, outcome.bytesSent());
      assertEquals(2, outcome.bytesReceived());
    }
  }
}
