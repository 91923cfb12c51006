package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.VersionSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Our client that offers servers of other projects to change from HTTP/1.1 to HTTP/2. nghttpd
/// supports no HTTP/1.1, so no offer.
@Tag("full")
final class UpgradingOriginsTest {

  @TempDir private Path dir;

  private Peer origin(String name) throws Exception {
    Path files = Files.createDirectories(dir.resolve("files"));
    Files.writeString(files.resolve("plaintext"), "Hello, World!");
    return switch (name) {
      case "h2o" -> Peer.h2o(dir, "h2o-origin.conf");
      case "nginx" -> Peer.nginx(dir, "nginx-origin.conf", 0);
      case "haproxy" -> Peer.haproxy(dir, "haproxy-origin.cfg", 0);
      case "node" -> Peer.printsPort(dir, "node", Peer.resource(dir, "origin.js").toString());
      default -> Peer.printsPort(dir, Peer.goBuild(dir, "origin.go").toString());
    };
  }

  @ParameterizedTest
  @CsvSource({
    "h2o, HTTP_2",
    "nginx, HTTP_1_1",
    "haproxy, HTTP_1_1",
    "node, HTTP_1_1",
    "go, HTTP_1_1"
  })
  void originIsUsedWithTheVersionThatItSupports(String name, HttpVersion version) throws Exception {
    VersionSettings versions = HttpClientSettings.DEFAULT.versions().withH2cUpgrade(true);
    try (Peer origin = origin(name);
        HttpClient client = HttpClient.create(HttpClientSettings.DEFAULT.withVersions(versions))) {
      String url = "http://127.0.0.1:" + origin.port() + "/plaintext";
      for (int i = 0; i < 20; i++) {
        assertEquals("Hello, World!", client.get(url).await().text());
      }
      ClientExchange exchange = client.open(RequestHead.get(url)).await();
      assertEquals(version, exchange.connection().version());
      exchange.execute(() -> exchange.reset(ResetCode.CANCEL));
    }
  }
}
