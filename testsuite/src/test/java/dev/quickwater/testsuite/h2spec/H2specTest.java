package dev.quickwater.testsuite.h2spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every case of h2spec passes in strict mode.
@Tag("full")
final class H2specTest {

  /// Version 2.6.0 has 146 cases; fewer mean that a section did not run.
  private static final int MIN_CASES = 146;

  /// What is no preface of HTTP/2 is a request of HTTP/1.1 where both are served, and gets a
  /// response of HTTP/1.1, which h2spec does not expect.
  private static final String NO_PREFACE = "http2/3.5: Sends invalid connection preface";

  @TempDir private Path dir;

  private H2spec run(String transport, VersionSettings.Versions versions) throws Exception {
    return run(server(transport, versions));
  }

  private static HttpServer server(String transport, VersionSettings.Versions versions) {
    return HttpServer.create(x -> x.respond(HttpResponse.text("Hello, World!")))
        .with(
            HttpServerSettings.DEFAULT
                .withLoops(new LoopSettings(1, transport))
                .withVersions(VersionSettings.DEFAULT.with(versions)));
  }

  private H2spec run(HttpServer configured, String... options) throws Exception {
    try (RunningServer server =
        configured.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      H2spec report = H2spec.run(server.port(), dir, options);
      assertEquals(List.of(), report.skipped());
      assertTrue(report.cases() >= MIN_CASES, report.cases() + " cases");
      return report;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void everyCasePasses(String transport) throws Exception {
    assertEquals(List.of(), run(transport, VersionSettings.Versions.HTTP_2).failures());
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void everyCaseOfHttp2PassesBesideHttp1(String transport) throws Exception {
    List<String> failures =
        run(transport, VersionSettings.Versions.BOTH).failures().stream()
            .filter(failure -> !failure.startsWith(NO_PREFACE))
            .toList();
    assertEquals(List.of(), failures);
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENSSL", "JDK"})
  void everyCasePassesOverTls(TlsLibrary library) throws Exception {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    TlsSettings tls =
        TlsSettings.server(TlsIdentity.of(pair.key(), List.of(pair.certificate())))
            .withLibrary(library);
    H2spec report =
        run(server("auto", VersionSettings.Versions.HTTP_2).tls(tls), "--tls", "--insecure");
    assertEquals(List.of(), report.failures());
  }
}
