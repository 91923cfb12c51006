package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients of other projects that change from HTTP/1.1 to HTTP/2 by `Upgrade: h2c`.
@Tag("full")
final class UpgradingClientsTest {

  @TempDir private Path dir;

  private final RunningServer server =
      HttpServer.create(x ->
              x.respond(
                  x.readAll(1 << 20).map(body -> HttpResponse.text("body of " + body.length))))
          .with(
              HttpServerSettings.DEFAULT.withVersions(VersionSettings.DEFAULT.withH2cUpgrade(true)))
          .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  private final String url = "http://127.0.0.1:" + server.port() + "/";

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void curlChangesToHttp2() throws Exception {
    String output =
        Peer.run(
            dir, "curl", "-sS", "--http2", "-w", " %{http_version} %{http_code}|", url, url + "2");
    assertEquals("body of 0 2 200|body of 0 2 200|", output);
  }

  @Test
  void curlThatSendsABodyStaysWithHttp1() throws Exception {
    String output =
        Peer.run(dir, "curl", "-sS", "--http2", "-d", "abc", "-w", " %{http_version}", url);
    assertEquals("body of 3 1.1", output);
  }

  @Test
  void nghttpChangesToHttp2() throws Exception {
    String output = Peer.run(dir, "nghttp", "-uv", url, url + "2");
    assertTrue(output.contains("HTTP Upgrade success"), output);
    assertTrue(output.contains("body of 0"), output);
    assertFalse(output.contains("PROTOCOL_ERROR"), output);
  }
}
