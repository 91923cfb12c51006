package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Chromium without a window loads a page over https. The page shows the protocol that the browser
/// has negotiated, and the text of a second request.
@Tag("full")
final class BrowserTest {

  private static final String PAGE =
      """
      <!doctype html><title>t</title><p id=p>?</p><script>
      const r = new XMLHttpRequest(); r.open('GET', '/text', false); r.send();
      document.getElementById('p').textContent =
        performance.getEntriesByType('navigation')[0].nextHopProtocol + ' ' + r.responseText;
      </script>
      """;

  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void chromiumLoadsAPageOverHttp2(TlsLibrary library) throws Exception {
    HttpResponse page =
        HttpResponse.of(
            HttpStatus.OK,
            HttpHeaders.of("content-type", "text/html; charset=utf-8"),
            PAGE.getBytes(StandardCharsets.UTF_8));
    Routes routes =
        new Routes()
            .get("/", x -> x.respond(page))
            .get("/text", x -> x.respond(HttpResponse.text("Hello, World!")));
    try (RunningServer server =
        HttpServer.create(routes)
            .tls(TlsFiles.server(library))
            .listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
      String shown =
          Peer.run(
              dir,
              "chromium",
              "--headless=new",
              "--no-sandbox",
              "--disable-gpu",
              "--ignore-certificate-errors",
              "--user-data-dir=" + dir.resolve("profile"),
              "--timeout=10000",
              "--dump-dom",
              "https://localhost:" + server.port() + "/");
      assertTrue(shown.contains(">h2 Hello, World!<"), shown);
    }
  }
}
