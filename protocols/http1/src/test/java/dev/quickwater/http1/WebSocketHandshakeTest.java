package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Key, accept value and version of RFC 6455 section 4, which the engines write and check.
/// CVE-2026-59898: a handshake without one of its fields is refused.
final class WebSocketHandshakeTest {

  private static final String GET = "GET /chat HTTP/1.1\r\nHost: a\r\n";
  private static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  private static final String VERSION = "Sec-WebSocket-Version: 13\r\n";
  private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

  private static TestServer tunnels() {
    return new TestServer(x ->
        x.tunnel(
            HttpHeaders.of("sec-websocket-protocol", "chat"),
            channel -> channel.pipeline().addLast(new ChannelHandler() {})));
  }

  @Test
  void serverAnswersTheKey() {
    try (TestServer server = tunnels()) {
      server.send(GET + UPGRADE + KEY + VERSION + "\r\n");
      assertEquals(
          "HTTP/1.1 101 Switching Protocols\r\nsec-websocket-protocol: chat\r\n"
              + "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: "
              + ACCEPT
              + "\r\n\r\n",
          server.sent());
      assertFalse(server.last().request().headers().toString().contains("key"));
    }
  }

  @Test
  void otherProtocolsHaveNoKey() {
    try (TestServer server = tunnels()) {
      server.send(GET + "Connection: Upgrade\r\nUpgrade: other\r\n" + KEY + "\r\n");
      assertFalse(server.sent().contains("accept"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Sec-WebSocket-Key: \r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==x\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSE=\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBs*SBub25jZQ==\r\n",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
      })
  void malformedKeyIsRefused(String key) {
    try (TestServer server = tunnels()) {
      server.send(GET + UPGRADE + key + VERSION + "\r\n");
      assertEquals("HTTP/1.1 400 Bad Request", server.sentStatus());
      server.get("/next");
      assertEquals(2, server.exchanges.size());
    }
  }

  @ParameterizedTest
  @CsvSource({"400, ''", "400, 13|13", "426, 8", "426, 14", "426, x", "426, 013"})
  void otherVersionsAreRefused(int status, String versions) {
    StringBuilder fields = new StringBuilder();
    for (String version : versions.isEmpty() ? new String[0] : versions.split("\\|")) {
      fields.append("Sec-WebSocket-Version: ").append(version).append("\r\n");
    }
    try (TestServer server = tunnels()) {
      server.send(GET + UPGRADE + KEY + fields + "\r\n");
      String sent = server.sent();
      assertTrue(sent.startsWith("HTTP/1.1 " + status), sent);
      assertEquals(status == 426, sent.contains("\r\nsec-websocket-version: 13\r\n"), sent);
      assertEquals(status == 426, sent.contains("\r\nupgrade: websocket\r\n"), sent);
      assertEquals(status == 426, sent.contains("\r\nconnection: upgrade\r\n"), sent);
      server.assertOpen();
    }
  }

  @Test
  void otherMethodsAreRefused() {
    try (TestServer server = tunnels()) {
      server.send("POST /chat HTTP/1.1\r\nHost: a\r\n" + UPGRADE + KEY + VERSION + "\r\n");
      assertEquals("HTTP/1.1 400 Bad Request", server.sentStatus());
    }
  }

  @Test
  void requestWithoutUpgradeAsksForNoTunnel() {
    for (String fields : new String[] {"", "Upgrade: websocket\r\n", "Connection: upgrade\r\n"}) {
      try (TestServer server = tunnels()) {
        server.send(GET + fields + KEY + VERSION + "\r\n");
        assertEquals("HTTP/1.1 500 Internal Server Error", server.sentStatus());
      }
    }
  }

  @Test
  void equalHandshakesAreAnsweredAlike() {
    try (TestServer server = TestServer.paths()) {
      for (int i = 0; i < 3; i++) {
        server.send(GET + UPGRADE + KEY + VERSION + "\r\n");
      }
      assertEquals(3, server.exchanges.size());
      server.exchanges.forEach(x -> assertEquals("websocket", x.request().protocol()));
    }
  }

  @Test
  void fieldsCannotBeSet() {
    for (String name : new String[] {"Sec-WebSocket-Key", "Sec-WebSocket-Accept"}) {
      assertThrows(IllegalArgumentException.class, () -> HttpHeaders.of(name, "x"));
    }
  }

  @Test
  void fieldsAreNoTrailers() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      BodyLog.of(server.last());
      server.send("0\r\n" + KEY + "\r\n");
      assertEquals("HTTP/1.1 400 Bad Request", server.sentStatus());
    }
  }

  // ---- the client ----

  private static final RequestHead CHAT =
      RequestHead.get("http://a/chat").toBuilder().protocol("websocket").build();

  private static String key(String request) {
    Matcher key = Pattern.compile("\r\nsec-websocket-key: ([^\r]*)\r\n").matcher(request);
    assertTrue(key.find(), request);
    return key.group(1);
  }

  private static String answer(String fields) {
    return "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
        + fields
        + "\r\n";
  }

  @Test
  void clientSendsAFreshKeyAndChecksTheAnswer() {
    String previous = "";
    for (int i = 0; i < 3; i++) {
      try (TestClient client = new TestClient()) {
        ClientExchange x = client.open(CHAT);
        String request = client.sent();
        assertTrue(request.contains("\r\nsec-websocket-version: 13\r\n"), request);
        String key = key(request);
        assertEquals(24, key.length());
        assertNotEquals(previous, key);
        previous = key;
        client.answer(answer("Sec-WebSocket-Accept: " + WebSocketHandshake.accept(key) + "\r\n"));
        assertTrue(x.isTunnel());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Sec-WebSocket-Accept: " + ACCEPT + "\r\n", "Sec-WebSocket-Accept: \r\n"})
  void clientRefusesAnotherAnswer(String fields) {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(CHAT));
      client.answer(answer(fields));
      assertEquals(Outcome.Kind.RESET, log.outcome().kind());
      assertEquals(ResetCode.PROTOCOL_ERROR, log.outcome().code());
      client.assertClosed();
    }
  }

  @Test
  void clientRefusesTheAnswerTwice() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(CHAT));
      String accept = "Sec-WebSocket-Accept: " + WebSocketHandshake.accept(key(client.sent()));
      client.answer(answer(accept + "\r\n" + accept + "\r\n"));
      assertEquals(ResetCode.PROTOCOL_ERROR, log.outcome().code());
    }
  }

  @Test
  void clientAcceptsARefusal() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(CHAT)).readAll();
      client.sent();
      client.answer("HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n");
      assertEquals("[head 403, end, COMPLETED] ", log.summary());
      client.assertReusable();
    }
  }

  @Test
  void versionOfTheCallerIsSent() {
    try (TestClient client = new TestClient()) {
      client.open(CHAT.toBuilder().add("sec-websocket-version", "14").build());
      String request = client.sent();
      assertTrue(request.contains("sec-websocket-version: 14"), request);
      assertFalse(request.contains(": 13"), request);
    }
  }
}
