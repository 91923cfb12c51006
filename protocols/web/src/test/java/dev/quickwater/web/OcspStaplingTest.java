package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.Blocking;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.ocsp.OcspResponse;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Servers that fetch OCSP responses: the certificate requires one, so a client succeeds only if
/// the server sends one that is valid.
@EnabledIf("isPossible")
final class OcspStaplingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final HttpServerSettings SETTINGS =
      HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "auto"));

  /// Short, so that tests see several attempts.
  private static final OcspStapling FAST =
      OcspStapling.DEFAULT
          .withDelays(Duration.ofMillis(20), Duration.ofMillis(40))
          .withTimeout(Duration.ofSeconds(2))
          .withMaxResponse(10_000);

  private static final Logger LOG = Logger.getLogger(OcspStapling.class.getName());

  @TempDir private static Path dir;
  private static OcspAuthority authority;

  /// The programs and libraries that the tests need.
  static boolean isPossible() {
    if (!OcspAuthority.isPossible()) {
      return false;
    }
    try {
      TlsContext.client(TlsSettings.client().withLibrary(TlsLibrary.OPENSSL)).close();
      return true;
    } catch (UnsupportedOperationException _) {
      return false;
    }
  }

  @BeforeAll
  static void createAuthority() throws Exception {
    LOG.setLevel(Level.OFF);
    authority = new OcspAuthority(dir, "");
  }

  @AfterAll
  static void restoreLog() {
    LOG.setLevel(null);
  }

  private static RunningServer serve(OcspStapling stapling) {
    return serve(authority, stapling);
  }

  private static RunningServer serve(OcspAuthority by, OcspStapling stapling) {
    return HttpServer.create(x -> x.respond(HttpResponse.text("hello")))
        .with(SETTINGS)
        .tls(TlsSettings.server(by.identity()), stapling)
        .listen(0);
  }

  /// Waits until the state of the only certificate fits.
  private static OcspStatus await(RunningServer server, Predicate<OcspStatus> expected) {
    Instant end = Instant.now().plus(PATIENCE);
    while (true) {
      OcspStatus status = server.ocsp().getFirst();
      if (expected.test(status)) {
        return status;
      }
      assertTrue(Instant.now().isBefore(end), status::toString);
      Thread.onSpinWait();
    }
  }

  private static void get(RunningServer server, OcspAuthority by, TlsLibrary library)
      throws Exception {
    try (HttpClient client =
        HttpClient.create(
            HttpClientSettings.DEFAULT.withLoops(new LoopSettings(1, "auto")),
            by.client().withLibrary(library))) {
      HttpResponse response =
          client.get("https://localhost:" + server.port() + "/").await(PATIENCE);
      assertEquals("hello", response.text());
    }
  }

  private static void assertStapled(RunningServer server) throws Exception {
    get(server, authority, TlsLibrary.JDK);
    get(server, authority, TlsLibrary.OPENSSL);
  }

  private static void assertNotStapled(RunningServer server) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> get(server, authority, TlsLibrary.JDK));
    TlsException refused = assertInstanceOf(TlsException.class, failed.getCause());
    assertEquals(TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE, refused.alert());
  }

  @Test
  void responderOfOpenSslIsAsked() throws Exception {
    try (OcspAuthority.Responder responder = authority.responder();
        RunningServer server = serve(FAST.withResponder(URI.create(responder.url())))) {
      OcspStatus status = await(server, s -> s.fetched() > 0);
      assertEquals("CN=leaf", status.subject());
      assertTrue(Objects.requireNonNull(status.validUntil()).isAfter(Instant.now()));
      assertStapled(server);
    }
  }

  /// A responder of ours, whose behaviour a test changes.
  private static final class Responder implements AutoCloseable {
    volatile HttpResponse answer = HttpResponse.of(HttpStatus.NOT_FOUND);
    final AtomicInteger requests = new AtomicInteger();
    private final RunningServer server =
        HttpServer.create(
                Blocking.handler(x -> {
                  assertEquals(
                      "application/ocsp-request", x.request().headers().get("content-type"));
                  last = x.body().readAllBytes();
                  requests.incrementAndGet();
                  return answer;
                }))
            .with(SETTINGS)
            .listen(0);
    volatile byte[] last = {};

    URI url() {
      return URI.create("http://127.0.0.1:" + server.port() + "/ocsp");
    }

    void good() throws Exception {
      answer = ok(authority.answer(last));
    }

    static HttpResponse ok(byte[] body) {
      return HttpResponse.of(
          HttpStatus.OK, HttpHeaders.of("content-type", "application/ocsp-response"), body);
    }

    @Override
    public void close() {
      server.close();
    }
  }

  @Test
  void failuresAreRepeatedAndRecover() throws Exception {
    try (Responder responder = new Responder();
        RunningServer server = serve(FAST.withResponder(responder.url()))) {
      OcspStatus failed = await(server, s -> s.failed() > 1);
      assertNotNull(failed.failure());
      assertTrue(failed.failure().contains("404"), failed::toString);
      assertNull(failed.validUntil());
      assertNotStapled(server);
      responder.good();
      assertNull(await(server, s -> s.fetched() > 1).failure());
      assertStapled(server);
    }
  }

  @Test
  void refusedResponsesDoNotReplaceTheOneThatIsValid() throws Exception {
    try (Responder responder = new Responder();
        RunningServer server = serve(FAST.withResponder(responder.url()))) {
      await(server, s -> s.failed() > 0);
      responder.good();
      await(server, s -> s.fetched() > 0);
      byte[] good = authority.answer(responder.last);
      byte[] forged = good.clone();
      forged[forged.length / 2] ^= 1;
      authority.revoke();
      byte[] revoked = authority.answer(responder.last);
      for (HttpResponse refused :
          List.of(
              Responder.ok(new byte[0]),
              Responder.ok(new byte[20_000]),
              Responder.ok(new byte[] {0x30, 3, 0x0a, 1, 3}),
              Responder.ok(forged),
              Responder.ok(revoked),
              HttpResponse.of(HttpStatus.FOUND, "location", "http://127.0.0.1:1/"))) {
        responder.answer = refused;
        int before = responder.requests.get();
        await(server, s -> s.failure() != null && responder.requests.get() > before + 2);
        assertStapled(server);
        responder.answer = Responder.ok(good);
        await(server, s -> s.failure() == null);
      }
    } finally {
      authority = new OcspAuthority(dir, "");
    }
  }

  /// Clients of a certificate that requires a response would fail.
  @Test
  void replacedSettingsKeepTheResponseOfTheCertificate() throws Exception {
    try (Responder responder = new Responder();
        RunningServer server = serve(FAST.withResponder(responder.url()))) {
      await(server, s -> s.failed() > 0);
      responder.good();
      await(server, s -> s.fetched() > 0);
      responder.answer = HttpResponse.of(HttpStatus.NOT_FOUND);
      server.replaceTls(TlsSettings.server(authority.identity()));
      assertStapled(server);
      assertEquals(1, server.ocsp().size());
    }
  }

  /// The JDK accepts a response without an end for 15 minutes.
  @Test
  void responseWithoutAnEndExpires() throws Exception {
    try (Responder responder = new Responder();
        RunningServer server = serve(FAST.withResponder(responder.url()))) {
      await(server, s -> s.failed() > 0);
      responder.answer = Responder.ok(authority.undatedAnswer(responder.last));
      Instant end = await(server, s -> s.fetched() > 0).validUntil();
      assertNotNull(end);
      assertTrue(end.isBefore(Instant.now().plus(Duration.ofMinutes(15))), end::toString);
      assertStapled(server);
    }
  }

  @Test
  void certificateNamesItsResponder(@TempDir Path other) throws Exception {
    try (Responder responder = new Responder()) {
      OcspAuthority naming = new OcspAuthority(other, responder.url().toString());
      try (RunningServer server = serve(naming, FAST)) {
        assertEquals(responder.url(), await(server, s -> s.failed() > 0).responder());
        responder.answer = Responder.ok(naming.answer(responder.last));
        await(server, s -> s.fetched() > 0);
        get(server, naming, TlsLibrary.OPENSSL);
        server.replaceTls(TlsSettings.server(naming.identity()));
        await(server, s -> s.fetched() > 0);
        get(server, naming, TlsLibrary.OPENSSL);
      }
      int after = responder.requests.get();
      assertTrue(after > 1);
    }
  }

  @Test
  void certificateWithoutAResponderIsServedWithoutResponses() {
    try (RunningServer server = serve(OcspStapling.DEFAULT)) {
      assertEquals(List.of(), server.ocsp());
      assertNotStapled(server);
    }
  }

  @Test
  void delaysFollowTheLifeOfTheResponse() {
    Instant now = Instant.now();
    OcspStapling settings = OcspStapling.DEFAULT;
    OcspResponse week = new OcspResponse(new byte[0], now, now.plus(Duration.ofDays(1)));
    assertEquals(Duration.ofHours(12), OcspFetcher.refreshDelay(week, now, settings, 1));
    assertEquals(Duration.ofHours(6), OcspFetcher.refreshDelay(week, now, settings, 0.5));
    Instant late = now.plus(Duration.ofHours(20));
    assertEquals(settings.minDelay(), OcspFetcher.refreshDelay(week, late, settings, 1));
    OcspResponse undated = new OcspResponse(new byte[0], now, null);
    assertEquals(Duration.ofMinutes(5), OcspFetcher.refreshDelay(undated, now, settings, 1));
    assertEquals(
        List.of(1L, 2L, 4L, 8L),
        Stream.of(0, 1, 2, 3)
            .map(failures -> OcspFetcher.retryDelay(failures, settings, 1).toMinutes())
            .toList());
    assertEquals(settings.maxDelay(), OcspFetcher.retryDelay(1000, settings, 1));
  }

  @Test
  void settingsAreChecked() {
    for (String wrong : List.of("https://ocsp.example", "file:/x", "http:x")) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> OcspStapling.DEFAULT.withResponder(URI.create(wrong)));
      assertTrue(refused.getMessage().contains("responder"), refused::getMessage);
    }
  }
}
