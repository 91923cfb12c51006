package dev.quickwater.http1;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Fields of the connection do not reach the headers (RFC 9110 section 7.6.1).
final class ConnectionOptionsTest {

  private static void assertHead(String expected, String fields) {
    assertEquals(
        List.of("GET / HTTP/1.1 a " + expected),
        accepted("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n"));
  }

  @Test
  void nominatedFieldsAreDroppedWhereverTheyAre() {
    assertHead("{c: 3}", "X-A: 1\r\nConnection: x-a, X-b\r\nX-B: 2\r\nC: 3\r\nx-a: 4\r\n");
    assertHead("{c: 3}", "Connection: x-a\r\nConnection: x-b\r\nX-A: 1\r\nx-b:2\r\nC: 3\r\n");
  }

  @Test
  void registeredEndToEndFieldsAreKept() {
    assertHead(
        "{cookie: c, authorization: d, x-forwarded-for: e}",
        "Connection: cookie, Authorization, x-forwarded-for, TE\r\nCookie: c\r\nTE: trailers\r\n"
            + "Authorization: d\r\nX-Forwarded-For: e\r\n");
  }

  @Test
  void fieldsOfTheConnectionAreDroppedWithoutNomination() {
    assertHead(
        "{x: 1}",
        "Keep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nX: 1\r\nUpgrade: h2c\r\n");
  }

  @Test
  void upgradeThatConnectionNominatesIsTheProtocol() {
    assertHead("{} to websocket", "Connection: Upgrade\r\nUpgrade: WebSocket\r\n");
    assertHead("{} to h2c", "Upgrade: h2c , websocket\r\nConnection: keep-alive, upgrade\r\n");
    assertHead("{} to http/2.0", "Upgrade: HTTP/2.0\r\nConnection: upgrade\r\n");
    assertHead("{} to a", "Upgrade: a\r\nConnection: upgrade\r\nUpgrade: b\r\n");
  }

  @Test
  void upgradeThatMeansNothingIsIgnored() {
    assertHead("{}", "Upgrade: websocket\r\n");
    assertHead("{}", "Connection: upgrade\r\n");
    assertHead("{}", "Connection: upgrade\r\nUpgrade: \r\n");
    assertHead("{}", "Connection: upgrade\r\nUpgrade: a b\r\n");
    assertHead("{}", "Connection: upgrade\r\nUpgrade: \u00e4\r\n");
    assertEquals(
        List.of("GET / HTTP/1.0 a {} close"),
        accepted("GET / HTTP/1.0\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"));
  }

  @Test
  void upgradeOfARequestWithABodyIsIgnored() {
    assertHead(
        "{} length 1", "Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n", "x");
  }

  private static void assertHead(String expected, String fields, String body) {
    assertEquals(
        List.of("GET / HTTP/1.1 a " + expected, body, "end {}"),
        accepted("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body));
  }

  @Test
  void optionsAreLimited() {
    String options = "a,".repeat(HeadLimits.DEFAULT.maxFields());
    assertHead("{}", "Connection: " + options + "close\r\n", true);
    refused(400, "GET / HTTP/1.1\r\nHost: a\r\nConnection: " + options + "b\r\n\r\n");
  }

  private static void assertHead(String expected, String fields, boolean closes) {
    assertEquals(
        List.of("GET / HTTP/1.1 a " + expected + (closes ? " close" : "")),
        accepted("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n"));
  }
}
