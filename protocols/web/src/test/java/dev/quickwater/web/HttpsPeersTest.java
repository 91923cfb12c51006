package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// https with peers that share no code with ours, which end early, read slowly, or split records.
final class HttpsPeersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final LoopSettings LOOP = new LoopSettings(1, "auto");
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private static final Keytool.Pair PAIR = Keytool.selfSigned("localhost");

  private static SSLContext context() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("key", PAIR.key(), new char[0], new Certificate[] {PAIR.certificate()});
      store.setCertificateEntry("trusted", PAIR.certificate());
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, new char[0]);
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpClient client(Versions versions) {
    HttpClientSettings settings =
        HttpClientSettings.DEFAULT
            .withLoops(LOOP)
            .withRequests(HttpClientSettings.RequestRules.DEFAULT.withMaxRepeats(0));
    return HttpClient.create(
        settings.withVersions(settings.versions().with(versions)),
        TlsSettings.client().withTrust(TlsTrust.DEFAULT.withCertificates(PAIR.certificate())));
  }

  private static HttpServer server(HttpServerSettings settings, HttpHandler handler) {
    return HttpServer.create(handler)
        .with(settings.withLoops(LOOP))
        .tls(TlsSettings.server(TlsIdentity.of(PAIR.key(), List.of(PAIR.certificate()))));
  }

  private static RunningServer listen(HttpHandler handler) {
    return listen(HttpServerSettings.DEFAULT, handler);
  }

  private static RunningServer listen(HttpServerSettings settings, HttpHandler handler) {
    return server(settings, handler).listen(new InetSocketAddress(LOOPBACK, 0));
  }

  private static SSLSocket connect(RunningServer server) throws IOException {
    Socket plain = new Socket(LOOPBACK, server.port());
    plain.setSoTimeout(10_000);
    SSLSocket secure =
        (SSLSocket)
            context().getSocketFactory().createSocket(plain, "localhost", server.port(), true);
    secure.startHandshake();
    return secure;
  }

  private static String uri(int port) {
    return "https://localhost:" + port + "/";
  }

  private static Throwable failure(Future<?> future) {
    return Objects.requireNonNull(
        assertThrows(ExecutionException.class, () -> future.await(PATIENCE)).getCause());
  }

  private static String messages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      all.append(at).append('\n');
    }
    return all.toString();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// Answers one request and then ends the connection.
  private static Future<HttpResponse> answered(
      HttpClient client, ServerSocket listener, String answer, boolean closeNotify)
      throws IOException {
    Future<HttpResponse> response = client.get(uri(listener.getLocalPort()));
    Socket plain = listener.accept();
    SSLSocket secure =
        (SSLSocket) context().getSocketFactory().createSocket(plain, "localhost", 1, false);
    secure.setUseClientMode(false);
    secure.getInputStream().read(new byte[10_000]);
    secure.getOutputStream().write(ascii(answer));
    if (closeNotify) {
      secure.shutdownOutput();
    }
    plain.close();
    return response;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nhello"
      })
  void aBodyThatEndsWithoutCloseNotifyIsAFailure(String answer) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, LOOPBACK);
        HttpClient client = client(Versions.HTTP_1_1)) {
      Throwable failure = failure(answered(client, listener, answer, false));
      assertTrue(messages(failure).contains("close_notify"), messages(failure));
    }
  }

  @Test
  void aBodyMayEndWithCloseNotify() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, LOOPBACK);
        HttpClient client = client(Versions.HTTP_1_1)) {
      String answer = "HTTP/1.1 200 OK\r\n\r\nhello";
      assertEquals("hello", answered(client, listener, answer, true).await(PATIENCE).text());
    }
  }

  @Test
  void aServerThatResetsDuringTheHandshakeFailsTheRequest() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, LOOPBACK);
        HttpClient client = client(Versions.BOTH)) {
      for (int i = 0; i < 3; i++) {
        Future<HttpResponse> response = client.get(uri(listener.getLocalPort()));
        Socket plain = listener.accept();
        if (i > 0) {
          plain.getInputStream().read(new byte[i == 1 ? 1 : 10_000]);
        }
        plain.setSoLinger(true, 0);
        plain.close();
        assertInstanceOf(IOException.class, failure(response));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void filesArriveWhole(Versions versions, @TempDir Path folder) throws Exception {
    byte[] bytes = new byte[20_000_001];
    new java.util.Random(1).nextBytes(bytes);
    Files.write(folder.resolve("large"), bytes);
    Files.write(folder.resolve("empty"), new byte[0]);
    try (RunningServer server = listen(StaticFiles.at("/", folder));
        HttpClient client = client(versions)) {
      try (BlockingResponse response =
          client
              .blocking()
              .open(RequestHead.builder(HttpMethod.GET, uri(server.port()) + "large").build())) {
        assertTrue(Arrays.equals(bytes, response.body().readAllBytes()));
      }
      HttpResponse empty = client.get(uri(server.port()) + "empty").await(PATIENCE);
      assertEquals(HttpStatus.OK, empty.status());
      assertEquals(0, empty.bytes().length);
    }
  }

  @Test
  void aPeerThatReadsSlowlyHoldsLittleMemory() throws Exception {
    byte[] piece = new byte[64 << 10];
    AtomicInteger written = new AtomicInteger();
    HttpHandler endless =
        x -> {
          var body =
              x.respond(dev.quickwater.http.ResponseHead.of(HttpStatus.OK, HttpHeaders.EMPTY));
          Runnable more =
              new Runnable() {
                @Override
                public void run() {
                  while (body.isWritable() && written.get() < 100 << 20) {
                    body.write(dev.quickwater.buffer.ByteBuf.wrap(piece.clone()));
                    written.addAndGet(piece.length);
                  }
                  if (written.get() < 100 << 20) {
                    body.onWritable(this);
                    body.flush();
                  } else {
                    body.end();
                  }
                }
              };
          more.run();
        };
    try (RunningServer server = listen(endless);
        SSLSocket peer = connect(server)) {
      peer.getOutputStream().write(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      InputStream in = peer.getInputStream();
      assertTrue(in.read() >= 0);
      long total = 1;
      byte[] buffer = new byte[1 << 16];
      long max = 0;
      boolean checked = false;
      for (int n; total < 100 << 20 && (n = in.read(buffer)) > 0; ) {
        total += n;
        max = Math.max(max, server.usedBytes());
        if (total > 20 << 20 && !checked) {
          checked = true;
          assertTrue(written.get() - total < 12 << 20, () -> "written " + written.get());
        }
      }
      assertTrue(total >= 100 << 20);
      assertTrue(max < 4 << 20, "used " + max);
    }
  }

  @Test
  void pipelinedRequestsInRecordsOfAnySizeAreAnswered() throws Exception {
    for (int size : new int[] {1, 7, 1000, 100_000}) {
      try (RunningServer server = listen(x -> x.respond(HttpResponse.text("x")));
          SSLSocket peer = connect(server)) {
        byte[] requests = ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100));
        OutputStream out = peer.getOutputStream();
        for (int at = 0; at < requests.length; at += size) {
          out.write(requests, at, Math.min(size, requests.length - at));
        }
        StringBuilder text = new StringBuilder();
        InputStream in = peer.getInputStream();
        byte[] buffer = new byte[1 << 16];
        while (count(text, "HTTP/1.1 200") < 100) {
          int n = in.read(buffer);
          assertTrue(n > 0);
          text.append(new String(buffer, 0, n, StandardCharsets.US_ASCII));
        }
      }
    }
  }

  private static int count(CharSequence text, String part) {
    return text.toString().split(part, -1).length - 1;
  }

  @Test
  void aRequestWaitsForContinue() throws Exception {
    HttpHandler echo =
        x ->
            x.respond(
                x.readAll(1000)
                    .map(bytes -> HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, bytes)));
    try (RunningServer server = listen(echo);
        SSLSocket peer = connect(server)) {
      OutputStream out = peer.getOutputStream();
      out.write(
          ascii(
              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
                  + "Expect: 100-continue\r\n\r\n"));
      byte[] buffer = new byte[1000];
      int n = peer.getInputStream().read(buffer);
      assertEquals(
          "HTTP/1.1 100 Continue\r\n\r\n", new String(buffer, 0, n, StandardCharsets.US_ASCII));
      out.write(ascii("hello"));
      n = peer.getInputStream().read(buffer);
      assertTrue(new String(buffer, 0, n, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200"));
    }
  }

  @Test
  void connectionsAboveTheLimitAreClosedAndTheOthersContinue() throws Exception {
    try (RunningServer server =
            listen(
                HttpServerSettings.DEFAULT.withMaxConnections(2),
                x -> x.respond(HttpResponse.text("x")));
        SSLSocket first = connect(server)) {
      try (Socket silent = new Socket(LOOPBACK, server.port())) {
        silent.setSoTimeout(10_000);
        List<Socket> refused = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          Socket one = new Socket(LOOPBACK, server.port());
          one.setSoTimeout(10_000);
          refused.add(one);
          assertEquals(-1, one.getInputStream().read());
        }
        for (Socket one : refused) {
          one.close();
        }
      }
      first.getOutputStream().write(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertEquals('H', first.getInputStream().read());
    }
  }

  @Test
  void aDrainLetsATransferEnd(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("file");
    Files.write(file, new byte[20_000_000]);
    RunningServer server = listen(StaticFiles.at("/", folder));
    try (SSLSocket peer = connect(server)) {
      peer.getOutputStream().write(ascii("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      InputStream in = peer.getInputStream();
      long total = in.read() >= 0 ? 1 : 0;
      Thread drain = Thread.ofVirtual().start(() -> server.drain(PATIENCE));
      byte[] buffer = new byte[1 << 16];
      for (int n; (n = in.read(buffer)) >= 0; ) {
        total += n;
      }
      assertTrue(total > 20_000_000, "received " + total);
      peer.close();
      drain.join();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aDrainWhileClientsConnectLeavesNoConnection(Versions versions) throws Exception {
    for (int round = 0; round < 10; round++) {
      RunningServer server = listen(x -> x.respond(HttpResponse.text("x")));
      List<Future<HttpResponse>> all = new ArrayList<>();
      List<HttpClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < 10; i++) {
          HttpClient client = client(versions);
          clients.add(client);
          all.add(client.get(uri(server.port())));
          if (i == round) {
            all.getFirst().await(PATIENCE);
          }
        }
        assertTrue(server.drain(PATIENCE));
        for (Future<HttpResponse> one : all) {
          try {
            assertEquals("x", one.await(PATIENCE).text());
          } catch (ExecutionException e) {
            assertInstanceOf(IOException.class, e.getCause());
          }
        }
      } finally {
        clients.forEach(HttpClient::close);
      }
    }
  }

  @Test
  void anInitializerThatFailsClosesTheConnection() throws Exception {
    HttpServerSettings settings =
        HttpServerSettings.DEFAULT.withVersions(
            VersionSettings.DEFAULT.withHttp2Initializer(c -> {
              throw new IllegalStateException("initializer");
            }));
    try (RunningServer server = listen(settings, x -> x.respond(HttpResponse.text("x")));
        HttpClient client = client(Versions.BOTH)) {
      assertNotNull(failure(client.get(uri(server.port()))));
    }
  }

  @Test
  void aClosedServerTakesNoOtherSettings() {
    RunningServer server = listen(x -> x.respond(HttpResponse.text("x")));
    server.close();
    assertThrows(
        IllegalStateException.class,
        () ->
            server.replaceTls(
                TlsSettings.server(TlsIdentity.of(PAIR.key(), List.of(PAIR.certificate())))));
  }

  @Test
  void aHostThatTlsCannotRequestFailsTheRequestWithItsReason() {
    try (HttpClient client =
        HttpClient.create(
            HttpClientSettings.DEFAULT
                .withLoops(LOOP)
                .withRequests(
                    HttpClientSettings.RequestRules.DEFAULT.withProxy(
                        new Authority("127.0.0.1", 1))),
            TlsSettings.client().withLibrary(TlsLibrary.JDK))) {
      Throwable failure = failure(client.get("https://a_b.example/"));
      assertInstanceOf(IllegalArgumentException.class, failure);
      assertTrue(messages(failure).contains("a_b.example"), messages(failure));
    }
  }

  @Test
  void replacingSettingsWhileClientsConnectLosesNoRequest() throws Exception {
    try (RunningServer server = listen(x -> x.respond(HttpResponse.text("x")))) {
      Thread replacing =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 50; i++) {
                  server.replaceTls(
                      TlsSettings.server(TlsIdentity.of(PAIR.key(), List.of(PAIR.certificate()))));
                }
              });
      int requests = 0;
      while (replacing.isAlive() || requests == 0) {
        try (SSLSocket peer = connect(server)) {
          peer.getOutputStream().write(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
          assertEquals('H', peer.getInputStream().read());
          requests++;
        }
      }
      assertTrue(requests > 0);
    }
  }
}
