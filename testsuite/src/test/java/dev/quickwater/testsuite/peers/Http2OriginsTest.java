package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.VersionSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our client with servers of other projects over HTTP/2 with prior knowledge. nginx ends each
/// connection after 50 requests, so requests beyond its GOAWAY are repeated on another one.
@Tag("full")
final class Http2OriginsTest {

  private static final int LENGTH = 10 << 20;
  private static final int LARGE = 16 << 20;

  @TempDir private Path dir;

  private static HttpClient client() {
    return HttpClient.create(
        HttpClientSettings.DEFAULT.withVersions(
            VersionSettings.DEFAULT.with(VersionSettings.Versions.HTTP_2)));
  }

  private Peer origin(String name) throws Exception {
    Path files = Files.createDirectories(dir.resolve("files"));
    Files.writeString(files.resolve("plaintext"), "Hello, World!");
    Files.write(files.resolve("large"), new byte[LARGE]);
    return switch (name) {
      case "nginx" -> Peer.nginx(dir, "nginx-h2-origin.conf", 0);
      case "h2o" -> Peer.h2o(dir, "h2o-origin.conf");
      case "nghttpd" -> Peer.nghttpd(dir);
      case "node" -> Peer.printsPort(dir, "node", Peer.resource(dir, "h2origin.js").toString());
      default -> Peer.printsPort(dir, Peer.goBuild(dir, "h2origin.go").toString());
    };
  }

  private static byte[] body() {
    byte[] body = new byte[LENGTH];
    Arrays.fill(body, (byte) 'x');
    return body;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nghttpd", "h2o", "nginx", "go", "node"})
  void originAnswersOurClient(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port();
      for (int i = 0; i < 50; i++) {
        assertEquals("Hello, World!", client.get(url + "/plaintext").await().text());
      }
      RequestHead head = RequestHead.builder(HttpMethod.HEAD, url + "/plaintext").build();
      assertEquals(0, client.send(HttpRequest.of(head, new byte[0])).await().bytes().length);
      assertEquals(404, client.get(url + "/none").await().status().code());
      assertEquals("Hello, World!", client.get(url + "/plaintext").await().text());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "go", "node"})
  void originSeesHttp2(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port() + "/version";
      assertEquals("HTTP/2.0", client.get(url).await().text());
      ClientExchange exchange = client.open(RequestHead.get(url)).await();
      assertEquals(HttpVersion.HTTP_2, exchange.connection().version());
      exchange.execute(() -> exchange.reset(ResetCode.CANCEL));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nghttpd", "h2o", "nginx", "go", "node"})
  void requestsAreMultiplexed(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port() + "/plaintext";
      List<Future<HttpResponse>> responses = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        responses.add(client.get(url));
      }
      for (Future<HttpResponse> response : responses) {
        assertEquals("Hello, World!", response.await().text());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nghttpd", "h2o", "nginx", "go", "node"})
  void largeResponsesAreReceivedSideBySide(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port() + "/large";
      Future<HttpResponse> one = client.get(url);
      Future<HttpResponse> other = client.get(url);
      assertEquals(LARGE, one.await().bytes().length);
      assertEquals(LARGE, other.await().bytes().length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nghttpd", "go", "node"})
  void uploadComesBack(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port();
      byte[] echo =
          client.send(HttpRequest.post(url + "/echo", "text/plain", body())).await().bytes();
      assertEquals(-1, Arrays.mismatch(body(), echo));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "go", "node"})
  void refusedUploadIsAnswered(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port();
      HttpResponse refused =
          client.send(HttpRequest.post(url + "/refuse", "text/plain", body())).await();
      assertTrue(refused.status().code() == 403 || refused.status().code() == 413);
      assertEquals("Hello, World!", client.get(url + "/plaintext").await().text());
    }
  }

  /// Reads the whole response and keeps its trailers.
  private static final class Trailers implements BodyReader {

    private final ClientExchange exchange;
    private final Promise<HttpHeaders> trailers;

    Trailers(ClientExchange exchange) {
      this.exchange = exchange;
      trailers = new Promise<>(exchange.loop());
    }

    @Override
    public void data(ByteBuf bytes) {
      bytes.release();
      exchange.responseBody().read(this);
    }

    @Override
    public void end(HttpHeaders fields) {
      trailers.success(fields);
    }

    @Override
    public void failed(Exception cause) {
      trailers.failure(cause);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"go", "node"})
  void trailersGoBothWays(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port();
      ClientExchange exchange =
          client
              .open(
                  RequestHead.builder(HttpMethod.POST, url + "/echo")
                      .contentLength(-1)
                      .add("trailer", "x-sum") // Go passes on no others
                      .build())
              .await();
      Trailers reader = new Trailers(exchange);
      exchange.execute(() -> {
        exchange.onEnd(outcome -> reader.trailers.tryFailure(new AssertionError(outcome)));
        exchange.onResponse(_ -> exchange.responseBody().read(reader));
        exchange
            .requestBody()
            .write(exchange.loop().allocator().allocate(10).writeBytes(new byte[10]));
        exchange.requestBody().end(HttpHeaders.of("x-sum", "42"));
      });
      assertEquals("42", reader.trailers.await().get("x-sum"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nghttpd", "h2o", "nginx", "go", "node"})
  void cancelledResponseLeavesTheConnectionUsable(String name) throws Exception {
    try (Peer origin = origin(name);
        HttpClient client = client()) {
      String url = "http://127.0.0.1:" + origin.port();
      for (int i = 0; i < 20; i++) {
        ClientExchange exchange = client.open(RequestHead.get(url + "/large")).await();
        Promise<Integer> status = new Promise<>(exchange.loop());
        exchange.execute(() -> {
          exchange.onEnd(outcome -> status.tryFailure(new AssertionError(outcome)));
          exchange.onResponse(head -> {
            status.success(head.status().code());
            exchange.reset(ResetCode.CANCEL);
          });
          exchange.requestBody().end();
        });
        assertEquals(200, status.await());
      }
      assertEquals("Hello, World!", client.get(url + "/plaintext").await().text());
    }
  }
}
