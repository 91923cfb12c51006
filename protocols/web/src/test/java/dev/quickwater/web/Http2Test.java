package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.Blocking;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our client and our server with HTTP/2 over sockets.
final class Http2Test {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private static final HttpClientSettings SETTINGS =
      HttpClientSettings.DEFAULT
          .withLoops(new LoopSettings(1, "auto"))
          .withVersions(
              HttpClientSettings.DEFAULT
                  .versions()
                  .with(Versions.HTTP_2)
                  .withExchanges(
                      HttpClientSettings.DEFAULT.http2().exchanges().withMaxBody(1 << 30)));

  private static String uri(RunningServer server, String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void onePortAnswersBothVersions(String transport) throws Exception {
    try (RunningServer server =
            Servers.start(
                transport,
                x -> x.respond(HttpResponse.text(x.connection().version() + x.request().path())));
        HttpClient two = HttpClient.create(SETTINGS);
        HttpClient one = HttpClient.create()) {
      assertEquals("HTTP/2/a", two.get(uri(server, "/a")).await(PATIENCE).text());
      assertEquals("HTTP/1.1/b", one.get(uri(server, "/b")).await(PATIENCE).text());
      assertEquals("HTTP/2/c", two.get(uri(server, "/c")).await(PATIENCE).text());
    }
  }

  @Test
  void serverCountsExceededBudgets() throws Exception {
    try (RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("a")));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertEquals(Map.of(), server.metrics().budgetTrips());
      socket.setSoTimeout(20_000);
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      flood.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
      byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
      for (int i = 0; i < 102; i++) {
        flood.writeBytes(settings);
      }
      socket.getOutputStream().write(flood.toByteArray());
      assertTrue(socket.getInputStream().readAllBytes().length > 0);
      assertEquals(Map.of("frames.settings", 1L), server.metrics().budgetTrips());
    }
  }

  @Test
  void prefaceMayArriveByteByByte() throws Exception {
    try (RunningServer server = Servers.start("auto", x -> x.respond(HttpResponse.text("a")));
        Wire wire = new Wire(server)) {
      for (char c : PREFACE.toCharArray()) {
        wire.send(String.valueOf(c));
      }
      byte[] header = wire.bytes(9);
      assertEquals(4, header[3], "the first frame of a server is SETTINGS");
    }
  }

  @Test
  void requestLineOfTheBadPrefaceIsAnsweredByHttp1() throws Exception {
    try (RunningServer server = Servers.start("auto", x -> x.respond(HttpResponse.text("a")));
        Wire wire = new Wire(server)) {
      assertEquals(505, wire.send("PRI * HTTP/2.0\r\n\r\nXM\r\n\r\n").answer().status());
    }
  }

  @Test
  void serverOfHttp2AloneRefusesHttp1() throws Exception {
    try (RunningServer server =
            Servers.start(
                "auto",
                x -> x.respond(HttpResponse.text("a")),
                s -> s.withVersions(s.versions().with(Versions.HTTP_2)));
        Wire wire = new Wire(server)) {
      String answer = wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").rest();
      assertTrue(answer.contains("preface"), answer);
    }
  }

  @Test
  void requestsShareOneConnection() throws Exception {
    Queue<Object> connections = new ConcurrentLinkedQueue<>();
    try (RunningServer server =
            Servers.start(
                "auto",
                x -> {
                  connections.add(String.valueOf(x.connection().remoteAddress()));
                  x.loop()
                      .schedule(
                          () -> x.respond(HttpResponse.text(x.request().path())),
                          Duration.ofMillis(5));
                });
        HttpClient client = HttpClient.create(SETTINGS)) {
      List<Future<HttpResponse>> responses = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        responses.add(client.get(uri(server, "/" + i)));
      }
      for (int i = 0; i < 50; i++) {
        assertEquals("/" + i, responses.get(i).await(PATIENCE).text());
      }
      assertEquals(1, connections.stream().distinct().count());
    }
  }

  @Test
  void furtherConnectionsAreOpenedAtTheLimitOfStreams() throws Exception {
    Queue<Object> connections = new ConcurrentLinkedQueue<>();
    Http2Settings.StreamLimits limits = new Http2Settings.StreamLimits(4, 32 << 10, 100, 0, 4096);
    try (RunningServer server =
            Servers.start(
                "auto",
                x -> {
                  connections.add(String.valueOf(x.connection().remoteAddress()));
                  x.loop()
                      .schedule(
                          () -> x.respond(HttpResponse.text(x.request().path())),
                          Duration.ofMillis(20));
                },
                s -> s.withHttp2(s.http2().withStreams(limits)));
        HttpClient client = HttpClient.create(SETTINGS)) {
      assertEquals("/first", client.get(uri(server, "/first")).await(PATIENCE).text());
      List<Future<HttpResponse>> responses = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        responses.add(client.get(uri(server, "/" + i)));
      }
      for (int i = 0; i < 60; i++) {
        assertEquals("/" + i, responses.get(i).await(PATIENCE).text());
      }
      assertTrue(connections.stream().distinct().count() > 1, "one connection");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_384, 65_536, 10_000_000})
  void bodiesPassBothWays(int size) throws Exception {
    byte[] body = random(size);
    try (RunningServer server =
            Servers.start(
                "auto", x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))));
        HttpClient client = HttpClient.create(SETTINGS)) {
      long used = server.usedBytes();
      HttpRequest request = HttpRequest.post(uri(server, "/"), "a/b", body);
      assertArrayEquals(body, client.send(request).await(PATIENCE).bytes());
      client.close();
      Baseline.awaitQuiet(server, used);
    }
  }

  @Test
  void wholeResponseBeyondTheWindowsArrives() throws Exception {
    byte[] body = random(5_000_000);
    try (RunningServer server =
            Servers.start(
                "auto", x -> x.respond(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, body)));
        HttpClient client = HttpClient.create(SETTINGS)) {
      assertArrayEquals(body, client.get(uri(server, "/")).await(PATIENCE).bytes());
    }
  }

  @Test
  void fileIsSentWhole(@TempDir Path directory) throws Exception {
    byte[] content = random(3_000_000);
    Files.write(directory.resolve("a"), content);
    StaticFiles files = StaticFiles.at("/files/", directory);
    try (RunningServer server = Servers.start("auto", files);
        HttpClient client = HttpClient.create(SETTINGS)) {
      assertArrayEquals(content, client.get(uri(server, "/files/a")).await(PATIENCE).bytes());
    }
  }

  @Test
  void blockingHandlerReadsAndAnswers() throws Exception {
    byte[] body = random(300_000);
    try (RunningServer server =
            Servers.start(
                "auto",
                Blocking.handler(x ->
                    HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, x.body().readAllBytes())));
        HttpClient client = HttpClient.create(SETTINGS)) {
      HttpRequest request = HttpRequest.post(uri(server, "/"), "a/b", body);
      assertArrayEquals(body, client.send(request).await(PATIENCE).bytes());
    }
  }

  @Test
  void headResponseAnnouncesTheLengthAlone() throws Exception {
    try (RunningServer server = Servers.start("auto", x -> x.respond(HttpResponse.text("abc")));
        HttpClient client = HttpClient.create(SETTINGS)) {
      RequestHead head = RequestHead.builder(HttpMethod.HEAD, uri(server, "/")).build();
      HttpResponse response = client.send(HttpRequest.of(head, new byte[0])).await(PATIENCE);
      assertEquals(3, response.head().contentLength());
      assertEquals(0, response.bytes().length);
    }
  }

  @Test
  void resetReachesTheHandler() throws Exception {
    Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    try (RunningServer server = Servers.start("auto", x -> x.onEnd(outcomes::add));
        HttpClient client = HttpClient.create(SETTINGS)) {
      ClientExchange exchange = client.open(RequestHead.get(uri(server, "/"))).await(PATIENCE);
      Baseline.await(
          "the handler has the request",
          () -> server.metrics().requests().active() > 0 || !outcomes.isEmpty());
      exchange.execute(() -> exchange.reset(ResetCode.CANCEL));
      Baseline.await("an outcome", () -> !outcomes.isEmpty());
      Outcome outcome = outcomes.remove();
      assertEquals(Outcome.Kind.PEER_RESET, outcome.kind());
      assertEquals(ResetCode.CANCEL, outcome.code());
    }
  }

  @Test
  void resetOfTheHandlerReachesTheClient() throws Exception {
    try (RunningServer server = Servers.start("auto", x -> x.reset(ResetCode.ENHANCE_YOUR_CALM));
        HttpClient client = HttpClient.create(SETTINGS)) {
      ExecutionException failure =
          assertThrows(
              ExecutionException.class, () -> client.get(uri(server, "/")).await(PATIENCE));
      ExchangeEndedException ended =
          assertInstanceOf(ExchangeEndedException.class, failure.getCause());
      assertEquals(Outcome.Kind.PEER_RESET, ended.outcome().kind());
      assertEquals(ResetCode.ENHANCE_YOUR_CALM, ended.outcome().code());
    }
  }

  @Test
  void drainLetsOpenStreamsEnd() throws Exception {
    RunningServer server =
        Servers.start(
            "auto",
            x ->
                x.loop()
                    .schedule(() -> x.respond(HttpResponse.text("late")), Duration.ofMillis(300)));
    try (HttpClient client = HttpClient.create(SETTINGS)) {
      Future<HttpResponse> open = client.get(uri(server, "/"));
      Baseline.await("an open exchange", () -> server.metrics().requests().active() > 0);
      long began = System.nanoTime();
      assertTrue(server.drain(), "drained");
      assertEquals("late", open.await(PATIENCE).text());
      assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(10), "drain took long");
    }
  }

  @Test
  void trailersPassBothWays() throws Exception {
    try (RunningServer server =
            Servers.start(
                "auto", x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))));
        HttpClient client = HttpClient.create(SETTINGS)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, uri(server, "/"))
              .contentLength(RequestHead.UNKNOWN_LENGTH)
              .build();
      ClientExchange exchange = client.open(head).await(PATIENCE);
      Queue<HttpHeaders> trailers = new ConcurrentLinkedQueue<>();
      exchange.execute(() -> {
        exchange.onResponse(_ -> exchange.responseBody().read(new Ends(exchange, trailers)));
        exchange.requestBody().write(exchange.loop().allocator().allocate(1).writeByte(1));
        exchange.requestBody().end(HttpHeaders.of("x-sum", "1"));
      });
      Baseline.await("trailers", () -> !trailers.isEmpty());
      assertEquals("1", trailers.remove().get("x-sum"));
    }
  }

  private record Ends(ClientExchange exchange, Queue<HttpHeaders> trailers) implements BodyReader {
    @Override
    public void data(dev.quickwater.buffer.ByteBuf bytes) {
      bytes.release();
      exchange.responseBody().read(this);
    }

    @Override
    public void end(HttpHeaders fields) {
      trailers.add(fields);
    }
  }
}
