package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.http2.Http2Settings.StreamLimits;
import dev.quickwater.web.HttpClientSettings.PoolLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The upgrade of RFC 7540 section 3.2 by a client that offers it.
final class ClientUpgradeTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Less than the timeouts of the client.
  private static final Duration SOON = Duration.ofSeconds(8);

  private final Queue<String> requests = new ConcurrentLinkedQueue<>();

  private void handle(HttpExchange x) {
    requests.add(x.connection().version() + " " + x.request());
    x.respond(
        x.readAll(1 << 20)
            .map(body -> HttpResponse.text(HttpStatus.OK, x.request().path() + body.length)));
  }

  private static HttpClientSettings settings() {
    HttpClientSettings defaults = HttpClientSettings.DEFAULT;
    return defaults
        .withLoops(new LoopSettings(1, "nio"))
        .withVersions(defaults.versions().withH2cUpgrade(true));
  }

  private static HttpClient client() {
    return HttpClient.create(settings());
  }

  private RunningServer server(UnaryOperator<VersionSettings> change) {
    return Servers.start("nio", this::handle, s -> s.withVersions(change.apply(s.versions())));
  }

  private static String uri(RunningServer server, String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  @Test
  void serverThatUpgradesIsUsedWithHttp2() throws Exception {
    try (RunningServer server = server(versions -> versions.withH2cUpgrade(true));
        HttpClient client = client()) {
      assertEquals("/a0", client.get(uri(server, "/a")).await(PATIENCE).text());
      HttpRequest upload = HttpRequest.post(uri(server, "/b"), "text/plain", new byte[100_000]);
      assertEquals("/b100000", client.send(upload).await(PATIENCE).text());
      assertEquals(
          List.of("HTTP/2 OPTIONS *", "HTTP/2 GET /a", "HTTP/2 POST /b"), List.copyOf(requests));
      assertEquals(1, server.connections());
    }
  }

  private static Http2Settings withTable(int headerTable) {
    StreamLimits limits = StreamLimits.DEFAULT;
    return Http2Settings.DEFAULT.withStreams(
        new StreamLimits(
            limits.maxStreams(),
            limits.maxHeadSize(),
            limits.maxFields(),
            limits.maxDiscard(),
            headerTable));
  }

  /// RFC 7540 section 3.2.1: the 101 acknowledges the settings of the offer.
  @ParameterizedTest
  @ValueSource(ints = {0, 1000, 16_384})
  void tableSizeOfTheOfferAppliesToTheFirstResponse(int headerTable) throws Exception {
    HttpClientSettings settings = settings();
    VersionSettings versions = settings.versions().withHttp2(withTable(headerTable));
    try (RunningServer server = server(v -> v.withH2cUpgrade(true).withHttp2(withTable(65_536)));
        HttpClient client = HttpClient.create(settings.withVersions(versions))) {
      assertEquals("/a0", client.get(uri(server, "/a")).await(PATIENCE).text());
      assertEquals(List.of("HTTP/2 OPTIONS *", "HTTP/2 GET /a"), List.copyOf(requests));
      assertEquals(1, server.connections());
    }
  }

  @Test
  void requestsThatWaitForTheUpgradeShareTheConnection() throws Exception {
    try (RunningServer server = server(versions -> versions.withH2cUpgrade(true));
        HttpClient client = client()) {
      List<Future<HttpResponse>> responses = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        responses.add(client.get(uri(server, "/" + i)));
      }
      for (int i = 0; i < 50; i++) {
        assertEquals("/" + i + "0", responses.get(i).await(PATIENCE).text());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void serverThatDoesNotUpgradeIsUsedWithHttp1() throws Exception {
    try (RunningServer server = server(versions -> versions);
        HttpClient client =
            HttpClient.create(settings().withPool(new PoolLimits(2, 100, PATIENCE)))) {
      List<Future<HttpResponse>> responses = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        responses.add(client.get(uri(server, "/" + i)));
      }
      for (int i = 0; i < 10; i++) {
        assertEquals("/" + i + "0", responses.get(i).await(PATIENCE).text());
      }
      long offers = requests.stream().filter("HTTP/1.1 OPTIONS *"::equals).count();
      assertEquals(1, offers, "later connections make no offer");
      assertEquals(11, requests.size());
    }
  }

  @Test
  void offerIsOffByDefault() throws Exception {
    try (RunningServer server = server(versions -> versions.withH2cUpgrade(true));
        HttpClient client = HttpClient.create()) {
      assertEquals("/a0", client.get(uri(server, "/a")).await(PATIENCE).text());
      assertEquals(List.of("HTTP/1.1 GET /a"), List.copyOf(requests));
    }
  }

  /// A server of HTTP/1.1 by hand: the n-th connection gets the n-th answer to each of its
  /// requests.
  private static final class Origin implements AutoCloseable {
    final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    final Queue<String> heads = new ConcurrentLinkedQueue<>();

    Origin(String... answers) throws IOException {
      Thread.ofVirtual().start(() -> serve(answers));
    }

    private void serve(String... answers) {
      for (String answer : answers) {
        try (Socket socket = listener.accept()) {
          serve(socket, answer);
        } catch (IOException _) {
          // the client has closed the connection
        }
      }
    }

    private void serve(Socket socket, String answer) throws IOException {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      StringBuilder head = new StringBuilder();
      for (int b; (b = in.read()) >= 0; ) {
        head.append((char) b);
        if (head.toString().endsWith("\r\n\r\n")) {
          heads.add(head.toString());
          head.setLength(0);
          out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
          if (answer.isEmpty() || answer.contains("close")) {
            return;
          }
        }
      }
    }

    String uri() {
      return "http://127.0.0.1:" + listener.getLocalPort() + "/";
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  @Test
  void offerHasTheFieldsOfTheUpgrade() throws Exception {
    try (Origin origin = new Origin(OK);
        HttpClient client = client()) {
      assertEquals("ok", client.get(origin.uri()).await(PATIENCE).text());
      assertEquals(
          "OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1:"
              + origin.listener.getLocalPort()
              + "\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: "
              + "AAEAABAAAAIAAAAAAAQAAP__AAYAAIAA\r\n\r\n",
          origin.heads.element());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\nno such method",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: close, upgrade\r\nUpgrade: other\r\n\r\n",
        "no HTTP at all, close\r\n\r\n"
      })
  void serverThatClosesAfterTheOfferIsConnectedAgainWithoutOne(String answer) throws Exception {
    try (Origin origin = new Origin(answer, OK);
        HttpClient client = client()) {
      assertEquals("ok", client.get(origin.uri()).await(PATIENCE).text());
      List<String> heads = List.copyOf(origin.heads);
      assertEquals(2, heads.size());
      assertEquals("GET / HTTP/1.1", heads.get(1).lines().findFirst().orElseThrow());
    }
  }

  static List<String> longAnswers() {
    String text = "x".repeat(100_000);
    return List.of(
        "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + text,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" + text + "\r\n");
  }

  @ParameterizedTest
  @MethodSource("longAnswers")
  void longAnswerToTheOfferIsNotRead(String answer) throws Exception {
    try (Origin origin = new Origin(answer, OK);
        HttpClient client = client()) {
      assertEquals("ok", client.get(origin.uri()).await(SOON).text());
    }
  }

  @Test
  void initializerThatThrowsAfterTheUpgradeFailsTheRequest() throws Exception {
    HttpClientSettings settings = settings().withPool(new PoolLimits(1, 100, PATIENCE));
    HttpClientSettings failing =
        settings.withVersions(
            settings
                .versions()
                .withHttp2Initializer(_ -> {
                  throw new IllegalStateException("expected by the test");
                }));
    try (RunningServer server = server(versions -> versions.withH2cUpgrade(true));
        HttpClient client = HttpClient.create(failing)) {
      for (int i = 0; i < 2; i++) {
        Future<HttpResponse> response = client.get(uri(server, "/"));
        ExecutionException e = assertThrows(ExecutionException.class, () -> response.await(SOON));
        assertEquals("expected by the test", e.getCause().getMessage());
      }
    }
  }

  @Test
  void offerWithoutAnAnswerFailsTheRequest() throws Exception {
    HttpClientSettings settings =
        settings().withHttp1(Http1Settings.DEFAULT.withTimeouts(Duration.ofMillis(200), PATIENCE));
    try (Origin origin = new Origin("HTTP/1.1 100 Continue\r\n\r\n");
        HttpClient client = HttpClient.create(settings)) {
      Future<HttpResponse> response = client.get(origin.uri());
      ExecutionException e = assertThrows(ExecutionException.class, () -> response.await(PATIENCE));
      assertInstanceOf(SocketTimeoutException.class, e.getCause());
    }
  }
}
