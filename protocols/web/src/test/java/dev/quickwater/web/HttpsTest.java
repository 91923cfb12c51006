package dev.quickwater.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.Filter;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsHandler;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// https with our client and our server over sockets.
final class HttpsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final LoopSettings LOOP = new LoopSettings(1, "auto");

  private static TlsIdentity identity(String name) {
    Keytool.Pair pair = Keytool.selfSigned(name);
    return TlsIdentity.of(pair.key(), List.of(pair.certificate()));
  }

  private static TlsSettings trusting(String name) {
    return TlsSettings.client()
        .withTrust(TlsTrust.DEFAULT.withCertificates(Keytool.selfSigned(name).certificate()));
  }

  private static HttpClientSettings clientSettings(Versions versions) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT.withLoops(LOOP);
    return settings.withVersions(settings.versions().with(versions));
  }

  private static HttpClient client(Versions versions) {
    return HttpClient.create(clientSettings(versions), trusting("localhost"));
  }

  private static HttpServer server(Versions versions, HttpHandler handler) {
    HttpServerSettings settings = HttpServerSettings.DEFAULT.withLoops(LOOP);
    return HttpServer.create(handler)
        .with(settings.withVersions(settings.versions().with(versions)))
        .tls(TlsSettings.server(identity("localhost")));
  }

  private static RunningServer listen(HttpServer server) {
    return server.listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  private static void describe(HttpExchange x) {
    SSLSession session = Objects.requireNonNull(x.connection().tlsSession());
    x.respond(
        HttpResponse.text(
            x.request().scheme()
                + " "
                + x.connection().version()
                + " "
                + session.getProtocol()
                + " "
                + session.isValid()));
  }

  private static String uri(RunningServer server) {
    return "https://localhost:" + server.port() + "/";
  }

  private static Throwable failure(Future<?> future) {
    return Objects.requireNonNull(
        assertThrows(ExecutionException.class, () -> future.await(PATIENCE)).getCause());
  }

  @Test
  void handshakeSelectsHttp2() throws Exception {
    try (RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
        HttpClient client = client(Versions.BOTH)) {
      assertEquals("https HTTP/2 TLSv1.3 true", client.get(uri(server)).await(PATIENCE).text());
    }
  }

  @ParameterizedTest
  @EnumSource(Versions.class)
  void eachVersionOfTheServerIsNegotiated(Versions versions) throws Exception {
    try (RunningServer server = listen(server(versions, HttpsTest::describe));
        HttpClient client = client(Versions.BOTH)) {
      String expected = versions == Versions.HTTP_1_1 ? "HTTP/1.1" : "HTTP/2";
      assertTrue(client.get(uri(server)).await(PATIENCE).text().contains(expected));
    }
  }

  @Test
  void clientWithOneVersionUsesIt() throws Exception {
    try (RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
        HttpClient client = client(Versions.HTTP_1_1)) {
      assertTrue(client.get(uri(server)).await(PATIENCE).text().contains("HTTP/1.1"));
    }
  }

  @Test
  void noCommonVersionFailsTheHandshake() throws Exception {
    try (RunningServer server = listen(server(Versions.HTTP_1_1, HttpsTest::describe));
        HttpClient client = client(Versions.HTTP_2)) {
      assertInstanceOf(TlsException.class, failure(client.get(uri(server))));
    }
  }

  @Test
  void manyRequestsShareOneHttp2Connection() throws Exception {
    try (RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
        HttpClient client = client(Versions.BOTH)) {
      List<Future<HttpResponse>> all = new ArrayList<>();
      for (int i = 0; i < 90; i++) {
        all.add(client.get(uri(server)));
      }
      for (Future<HttpResponse> one : all) {
        assertEquals(HttpStatus.OK, one.await(PATIENCE).status());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void largeBodiesPassInBothDirections() throws Exception {
    byte[] body = new byte[5 << 20];
    java.util.Arrays.fill(body, (byte) 'b');
    for (Versions versions : List.of(Versions.HTTP_1_1, Versions.HTTP_2)) {
      HttpHandler echo =
          x ->
              x.respond(
                  x.readAll(10 << 20)
                      .map(bytes -> HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, bytes)));
      try (RunningServer server = listen(server(versions, echo));
          HttpClient client = client(versions)) {
        HttpResponse response =
            client.send(HttpRequest.post(uri(server), "text/plain", body)).await(PATIENCE);
        assertEquals(body.length, response.bytes().length);
      }
    }
  }

  @Test
  void anUntrustedCertificateIsRefusedWithItsReason() throws Exception {
    try (RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
        HttpClient client = HttpClient.create(clientSettings(Versions.BOTH))) {
      TlsException failure = assertInstanceOf(TlsException.class, failure(client.get(uri(server))));
      assertTrue(
          Objects.requireNonNull(failure.getMessage()).contains("CN=localhost"),
          failure.getMessage());
    }
  }

  @Test
  void aWrongHostIsRefused() throws Exception {
    HttpServer named =
        server(Versions.BOTH, HttpsTest::describe).tls(TlsSettings.server(identity("other.test")));
    try (RunningServer server = listen(named);
        HttpClient client =
            HttpClient.create(clientSettings(Versions.BOTH), trusting("other.test"))) {
      TlsException failure = assertInstanceOf(TlsException.class, failure(client.get(uri(server))));
      assertTrue(
          Objects.requireNonNull(failure.getMessage()).contains("localhost"), failure.getMessage());
    }
  }

  @Test
  void renewedCertificatesApplyToLaterConnections() throws Exception {
    try (RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
        HttpClient before = client(Versions.BOTH)) {
      assertEquals(HttpStatus.OK, before.get(uri(server)).await(PATIENCE).status());
      server.replaceTls(TlsSettings.server(identity("other.test")));
      assertEquals(HttpStatus.OK, before.get(uri(server)).await(PATIENCE).status());
      try (HttpClient after = client(Versions.BOTH)) {
        assertInstanceOf(TlsException.class, failure(after.get(uri(server))));
      }
    }
  }

  @Test
  void aDrainClosesConnectionsInTheirHandshake() throws Exception {
    RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
    try (Socket silent = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port());
        HttpClient client = client(Versions.BOTH)) {
      assertEquals(HttpStatus.OK, client.get(uri(server)).await(PATIENCE).status());
      assertTrue(server.drain(PATIENCE));
      InputStream in = silent.getInputStream();
      assertEquals(-1, in.read());
    }
  }

  @Test
  void plainRequestsAreRedirected() throws Exception {
    Filter redirect = Https.redirect(8443);
    try (RunningServer server = listen(HttpServer.create(HttpsTest::describe).filter(redirect));
        HttpClient client =
            HttpClient.create(
                clientSettings(Versions.BOTH)
                    .withRequests(HttpClientSettings.RequestRules.DEFAULT.withMaxRedirects(0)))) {
      HttpResponse response =
          client.get("http://127.0.0.1:" + server.port() + "/a?b=c").await(PATIENCE);
      assertEquals(HttpStatus.PERMANENT_REDIRECT, response.status());
      assertEquals("https://127.0.0.1:8443/a?b=c", response.headers().get(HeaderName.LOCATION));
    }
  }

  @Test
  void strictTransportSecurityIsSentOverHttpsOnly() throws Exception {
    Filter strict = Https.strictTransportSecurity(Duration.ofDays(1), true);
    HeaderName name = HeaderName.of("strict-transport-security");
    try (RunningServer secure = listen(server(Versions.BOTH, HttpsTest::describe).filter(strict));
        RunningServer plain =
            listen(HttpServer.create(x -> x.respond(HttpResponse.text("x"))).filter(strict));
        HttpClient client = client(Versions.BOTH)) {
      assertEquals(
          "max-age=86400; includeSubDomains",
          client.get(uri(secure)).await(PATIENCE).headers().get(name));
      assertNull(
          client.get("http://127.0.0.1:" + plain.port() + "/").await(PATIENCE).headers().get(name));
    }
  }

  /// HTTP/2 has the scheme in a field of the request.
  @Test
  void schemeThatTheClientClaimsDoesNotMakeARequestSecure() throws Exception {
    HttpServer described = HttpServer.create(x -> x.respond(HttpResponse.text("passed")));
    try (RunningServer server =
            listen(
                described
                    .filter(Https.strictTransportSecurity(Duration.ofDays(1), false))
                    .filter(Https.redirect(8443)));
        HttpClient client = HttpClient.create(clientSettings(Versions.HTTP_2));
        EventLoopGroup group = EventLoopGroup.create(LOOP)) {
      Authority authority = new Authority("127.0.0.1", server.port());
      ClientConnection connection = client.connect(group.next(), "http", authority).await(PATIENCE);
      RequestHead claiming =
          RequestHead.builder(HttpMethod.GET, "/a").scheme("https").authority(authority).build();
      CompletableFuture<ResponseHead> response = new CompletableFuture<>();
      connection.open(claiming).onComplete(opened -> opened.value().onResponse(response::complete));
      ResponseHead head = response.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEquals(HttpStatus.PERMANENT_REDIRECT, head.status());
      assertNull(head.headers().get("strict-transport-security"));
    }
  }

  @Test
  void serverOfHttp2AloneClosesAConnectionWithoutAlpn() throws Exception {
    try (RunningServer server = listen(server(Versions.HTTP_2, HttpsTest::describe))) {
      SSLContext context = SSLContext.getInstance("TLS");
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("server", Keytool.selfSigned("localhost").certificate());
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      context.init(null, trust.getTrustManagers(), null);
      try (Socket socket = context.getSocketFactory().createSocket("localhost", server.port())) {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        assertEquals(-1, socket.getInputStream().read());
      }
    }
  }

  @Test
  void clientOfHttp2AloneRefusesAServerWithoutAlpn() throws Exception {
    try (TlsContext tls = TlsContext.server(TlsSettings.server(identity("localhost")));
        EventLoopGroup group = EventLoopGroup.create(LOOP);
        HttpClient client = client(Versions.HTTP_2)) {
      Channel listener =
          new ServerBootstrap(
                  group, ChannelSettings.DEFAULT, c -> c.pipeline().addLast(TlsHandler.server(tls)))
              .listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))
              .await();
      int port = ((InetSocketAddress) Objects.requireNonNull(listener.localAddress())).getPort();
      Throwable failure = failure(client.get("https://localhost:" + port + "/"));
      assertTrue(failure.getMessage().contains("does not support ALPN"), failure::toString);
      assertTrue(failure.getMessage().contains("versions is HTTP_2"), failure::toString);
    }
  }

  @Test
  void httpsPassesThroughAProxyInATunnel() throws Exception {
    try (RunningServer server = listen(server(Versions.BOTH, HttpsTest::describe));
        ConnectProxy front = new ConnectProxy();
        HttpClient client =
            HttpClient.create(
                clientSettings(Versions.BOTH)
                    .withRequests(
                        HttpClientSettings.RequestRules.DEFAULT.withProxy(
                            new Authority("127.0.0.1", front.port()))),
                trusting("localhost"))) {
      assertTrue(client.get(uri(server)).await(PATIENCE).text().startsWith("https HTTP/2"));
    }
  }

  @Test
  void wrongSchemeIsNamedOnBothSides() throws Exception {
    try (RunningServer secure = listen(server(Versions.BOTH, HttpsTest::describe));
        RunningServer plain = listen(HttpServer.create(x -> x.respond(HttpResponse.text("x"))));
        HttpClient client = client(Versions.BOTH)) {
      Throwable http = failure(client.get("http://localhost:" + secure.port() + "/"));
      assertTrue(messages(http).contains("TLS where http was expected"), messages(http));
      Throwable https = failure(client.get("https://localhost:" + plain.port() + "/"));
      assertTrue(messages(https).contains("plaintext instead of TLS"), messages(https));
    }
  }

  private static String messages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      all.append(at.getMessage()).append('\n');
    }
    return all.toString();
  }

  @Test
  void serverWithoutTlsCannotReplaceIt() {
    try (RunningServer server = listen(HttpServer.create(x -> x.respond(HttpResponse.text("x"))))) {
      assertNull(server.tls());
      assertThrows(
          IllegalStateException.class,
          () -> server.replaceTls(TlsSettings.server(identity("localhost"))));
      assertFalse(server.port() == 0);
    }
  }
}
