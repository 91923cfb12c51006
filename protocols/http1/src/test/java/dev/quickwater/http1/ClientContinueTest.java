package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientContinueTest {

  private static final String HEAD =
      "POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

  private static ClientExchange expecting(TestClient client) {
    ClientExchange x =
        client.open(
            RequestHead.builder(HttpMethod.POST, "http://a/")
                .add("expect", "100-continue")
                .contentLength(3)
                .build());
    x.requestBody().flush();
    return x;
  }

  @Test
  void bodyWaitsFor100() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = expecting(client);
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      x.requestBody().end();
      assertEquals(HEAD, client.sent());
      client.answer("HTTP/1.1 100 Continue\r\n\r\n");
      assertEquals("abc", client.sent());
      client.answer(OK);
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      client.assertReusable();
    }
  }

  @Test
  void bodyIsNotWritableBefore100() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = expecting(client);
      assertFalse(x.requestBody().isWritable());
      boolean[] called = {false};
      x.requestBody().onWritable(() -> called[0] = true);
      client.sent();
      assertFalse(called[0]);
      client.answer("HTTP/1.1 100 Continue\r\n\r\n");
      assertTrue(called[0]);
      assertTrue(x.requestBody().isWritable());
    }
  }

  @Test
  void bodyIsSentAfterOneSecondWithoutAnswer() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = expecting(client);
      x.requestBody().write(TestServer.bytes("abc"));
      assertEquals(HEAD, client.sent());
      client.advance(Duration.ofMillis(999));
      assertEquals("", client.sent());
      client.advance(Duration.ofMillis(2));
      assertEquals("abc", client.sent());
    }
  }

  /// The server reads the body while it responds.
  @Test
  void successfulResponseSendsTheBody() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = expecting(client);
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      x.requestBody().end();
      assertEquals(HEAD, client.sent());
      client.answer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      assertEquals("abc", client.sent());
      client.answer("0\r\n\r\n");
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      client.assertReusable();
    }
  }

  @Test
  void successfulResponseThatAnnouncesTheCloseDropsTheBody() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = expecting(client);
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      assertEquals(HEAD, client.sent());
      client.answer("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      assertEquals("", client.sent());
      client.assertClosed();
    }
  }

  @Test
  void finalResponseDropsTheBody() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = expecting(client);
      ClientLog log = new ClientLog(x).readAll();
      x.requestBody().write(TestServer.bytes("abc"));
      x.requestBody().end();
      assertEquals(HEAD, client.sent());
      client.answer("HTTP/1.1 417 No\r\ncontent-length: 0\r\n\r\n");
      assertEquals("[head 417, end, COMPLETED] ", log.summary());
      assertEquals("", client.sent());
      client.assertClosed(); // the server would take the next request for the body
    }
  }

  @Test
  void requestWithoutBodyExpectsNothing() {
    try (TestClient client = new TestClient()) {
      client.open(
          RequestHead.builder(HttpMethod.GET, "http://a/").add("expect", "100-continue").build());
      assertEquals("GET / HTTP/1.1\r\nhost: a\r\n\r\n", client.sent());
    }
  }
}
