package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Our https client with servers of other projects, with each library.
@Tag("full")
final class HttpsOriginsTest {

  private static final int LENGTH = 10 << 20;

  @TempDir private Path dir;

  static Stream<Arguments> originsAndLibraries() {
    return Stream.of("go", "node", "nginx")
        .flatMap(origin ->
            Stream.of(TlsLibrary.OPENSSL, TlsLibrary.JDK)
                .map(library -> Arguments.of(origin, library)));
  }

  private Peer origin(String name, TlsFiles files, int app) throws Exception {
    String certificate = files.certificate().toString();
    String key = files.key().toString();
    return switch (name) {
      case "nginx" -> Peer.nginx(dir, "nginx-tls-origin.conf", app);
      case "node" ->
          Peer.printsPort(
              dir, "node", Peer.resource(dir, "tlsorigin.js").toString(), certificate, key);
      default ->
          Peer.printsPort(dir, Peer.goBuild(dir, "tlsorigin.go").toString(), certificate, key);
    };
  }

  @ParameterizedTest
  @MethodSource("originsAndLibraries")
  void eachVersionIsNegotiated(String name, TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    try (Peer origin = origin(name, files, 1)) {
      for (TlsProtocols.Version version : TlsProtocols.Version.values()) {
        TlsSettings settings = TlsFiles.client(library);
        settings = settings.withProtocols(settings.protocols().withVersions(version));
        try (HttpClient client = HttpClient.create(HttpClientSettings.DEFAULT, settings)) {
          String url = "https://localhost:" + origin.port() + "/version";
          String text = client.get(url).await().text();
          assertEquals("HTTP/2.0 " + version + " localhost", text.replace("TLS 1", "TLSv1"));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("originsAndLibraries")
  void anUntrustedServerIsRefused(String name, TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    try (Peer origin = origin(name, files, 1);
        HttpClient client =
            HttpClient.create(
                HttpClientSettings.DEFAULT, TlsSettings.client().withLibrary(library))) {
      String url = "https://localhost:" + origin.port() + "/version";
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> client.get(url).await());
      assertInstanceOf(TlsException.class, failure.getCause());
    }
  }

  @ParameterizedTest
  @MethodSource("originsAndLibraries")
  void largeBodiesComeBack(String name, TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    byte[] body = new byte[LENGTH];
    Arrays.fill(body, (byte) 'x');
    try (RunningServer app =
            HttpServer.create(x ->
                    x.respond(
                        x.readAll(LENGTH)
                            .map(bytes ->
                                HttpResponse.of(
                                    dev.quickwater.http.HttpStatus.OK,
                                    dev.quickwater.http.HttpHeaders.EMPTY,
                                    bytes))))
                .tls(TlsFiles.server(library))
                .listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        Peer origin = origin(name, files, app.port());
        HttpClient client =
            HttpClient.create(HttpClientSettings.DEFAULT, TlsFiles.client(library))) {
      String path = name.equals("nginx") ? "/app/echo" : "/echo";
      String url = "https://localhost:" + origin.port() + path;
      for (int i : List.of(1, 2)) {
        HttpResponse response = client.send(HttpRequest.post(url, "text/plain", body)).await();
        assertTrue(Arrays.equals(body, response.bytes()), "request " + i);
      }
    }
  }
}
