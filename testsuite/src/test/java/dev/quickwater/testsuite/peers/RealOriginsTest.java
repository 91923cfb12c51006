package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.web.HttpClient;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our client with servers of other projects: connections that are reused, bodies of 10 MB that
/// come back, and bodies that the server refuses without reading them.
@Tag("full")
final class RealOriginsTest {

  private static final int LENGTH = 10 << 20;

  private static Peer origin(String name, Path dir) throws Exception {
    return switch (name) {
      case "nginx" -> Peer.nginx(dir, "nginx-origin.conf", 0);
      case "haproxy" -> Peer.haproxy(dir, "haproxy-origin.cfg", 0);
      case "node" -> Peer.printsPort(dir, "node", Peer.resource(dir, "origin.js").toString());
      default -> Peer.printsPort(dir, Peer.goBuild(dir, "origin.go").toString());
    };
  }

  private static byte[] body() {
    byte[] body = new byte[LENGTH];
    Arrays.fill(body, (byte) 'x');
    return body;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "haproxy", "go", "node"})
  void originAnswersOurClient(String name, @TempDir Path dir) throws Exception {
    try (Peer origin = origin(name, dir);
        HttpClient client = HttpClient.create()) {
      String url = "http://127.0.0.1:" + origin.port();
      for (int i = 0; i < 50; i++) {
        assertEquals("Hello, World!", client.get(url + "/plaintext").await().text());
      }
      RequestHead head = RequestHead.builder(HttpMethod.HEAD, url + "/plaintext").build();
      assertEquals(0, client.send(HttpRequest.of(head, new byte[0])).await().bytes().length);
      HttpResponse refused =
          client.send(HttpRequest.post(url + "/refuse", "text/plain", body())).await();
      System.out.println(name + ": a refused body of 10 MB gets " + refused.status());
      assertTrue(refused.status().code() == 403 || refused.status().code() == 413);
      assertEquals("Hello, World!", client.get(url + "/plaintext").await().text());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"go", "node"})
  void originSendsBodiesToOurClient(String name, @TempDir Path dir) throws Exception {
    try (Peer origin = origin(name, dir);
        HttpClient client = HttpClient.create()) {
      String url = "http://127.0.0.1:" + origin.port();
      byte[] echo =
          client.send(HttpRequest.post(url + "/echo", "text/plain", body())).await().bytes();
      assertEquals(-1, Arrays.mismatch(body(), echo));
      assertEquals("0123456789".repeat(100), client.get(url + "/chunked").await().text());
    }
  }
}
