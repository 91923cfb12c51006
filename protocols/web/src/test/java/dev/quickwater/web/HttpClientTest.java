package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.web.HttpClientSettings.PoolLimits;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The client over sockets of the loopback, against our server.
final class HttpClientTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final HttpClientSettings SETTINGS =
      HttpClientSettings.DEFAULT.withLoops(new LoopSettings(1, "nio"));

  private static String uri(RunningServer server, String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private static HttpClientSettings pool(int connections, int waiting, Duration wait) {
    return SETTINGS.withPool(new PoolLimits(connections, waiting, wait));
  }

  private static Throwable failure(Future<?> future) {
    return known(assertThrows(ExecutionException.class, () -> future.await(PATIENCE)).getCause());
  }

  private static <T> T known(@org.jspecify.annotations.Nullable T value) {
    if (value == null) {
      throw new AssertionError();
    }
    return value;
  }

  /// Does not answer; the test answers.
  private static final class Manual implements HttpHandler {
    final BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();

    @Override
    public void handle(HttpExchange x) {
      exchanges.add(x);
    }

    void answerNext() throws InterruptedException {
      HttpExchange x = exchanges.take();
      x.execute(() -> x.respond(HttpResponse.text("late")));
    }
  }

  @Test
  void getReturnsTheWholeResponse() throws Exception {
    try (RunningServer server =
            Servers.start("nio", x -> x.respond(HttpResponse.text(x.request().path())));
        HttpClient client = HttpClient.create(SETTINGS)) {
      HttpResponse response = client.get(uri(server, "/hello")).await(PATIENCE);
      assertEquals(HttpStatus.OK, response.status());
      assertEquals("/hello", response.text());
    }
  }

  @Test
  void hostNamesAreLookedUp() throws Exception {
    try (RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("x")));
        HttpClient client = HttpClient.create(SETTINGS)) {
      String uri = "http://localhost:" + server.port() + "/";
      assertEquals("x", client.get(uri).await(PATIENCE).text());
    }
  }

  @Test
  void bodiesGoBothWays() throws Exception {
    byte[] body = new byte[3_000_000];
    new java.util.Random(1).nextBytes(body);
    try (RunningServer server =
            Servers.start(
                "nio",
                x ->
                    x.requestBody()
                        .pipeTo(
                            x.respond(
                                dev.quickwater.http.ResponseHead.of(HttpStatus.OK)
                                    .withLength(x.request().contentLength()))));
        HttpClient client = HttpClient.create(SETTINGS)) {
      HttpRequest post = HttpRequest.post(uri(server, "/"), "application/octet-stream", body);
      assertArrayEquals(body, client.send(post).await(PATIENCE).bytes());
    }
  }

  @Test
  void connectionsAreReused() throws Exception {
    try (RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("x")));
        HttpClient client = HttpClient.create(SETTINGS)) {
      for (int i = 0; i < 100; i++) {
        client.get(uri(server, "/")).await(PATIENCE);
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void poolHasALimit() throws Exception {
    Manual manual = new Manual();
    try (RunningServer server = Servers.start("nio", manual);
        HttpClient client = HttpClient.create(pool(3, 100, PATIENCE))) {
      List<Future<HttpResponse>> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(client.get(uri(server, "/")));
      }
      for (int i = 0; i < 20; i++) {
        manual.answerNext();
        assertTrue(server.connections() <= 3, server.connections() + " connections");
      }
      for (Future<HttpResponse> one : all) {
        assertEquals("late", one.await(PATIENCE).text());
      }
    }
  }

  @Test
  void queueHasALimit() throws Exception {
    Manual manual = new Manual();
    try (RunningServer server = Servers.start("nio", manual);
        HttpClient client = HttpClient.create(pool(1, 2, PATIENCE))) {
      BlockingQueue<Future<HttpResponse>> failed = new LinkedBlockingQueue<>();
      for (int i = 0; i < 6; i++) {
        client.get(uri(server, "/")).onComplete(failed::add);
      }
      // One request has the connection and two wait, whenever the connection becomes ready.
      for (int i = 0; i < 3; i++) {
        Future<HttpResponse> rejected = known(failed.poll(20, TimeUnit.SECONDS));
        assertInstanceOf(RejectedExecutionException.class, rejected.cause());
      }
    }
  }

  @Test
  void waitForAConnectionHasALimit() throws Exception {
    Manual manual = new Manual();
    try (RunningServer server = Servers.start("nio", manual);
        HttpClient client = HttpClient.create(pool(1, 2, Duration.ofMillis(50)))) {
      ClientExchange first = client.open(RequestHead.get(uri(server, "/"))).await(PATIENCE);
      Throwable cause = failure(client.get(uri(server, "/")));
      assertInstanceOf(SocketTimeoutException.class, cause);
      assertTrue(String.valueOf(cause.getMessage()).contains("waitTimeout"));
      first.execute(() -> first.reset(ResetCode.CANCEL));
    }
  }

  @Test
  void redirectsAreFollowed() throws Exception {
    Routes routes =
        new Routes()
            .get("/a", x -> x.respond(HttpResponse.of(HttpStatus.FOUND, "location", "/b")))
            .get(
                "/b",
                x -> x.respond(HttpResponse.of(HttpStatus.TEMPORARY_REDIRECT, "location", "c")))
            .get("/c", x -> x.respond(HttpResponse.text("there")))
            .get("/loop", x -> x.respond(HttpResponse.of(HttpStatus.FOUND, "location", "/loop")));
    try (RunningServer server = Servers.start("nio", routes);
        HttpClient client = HttpClient.create(SETTINGS)) {
      assertEquals("there", client.get(uri(server, "/a")).await(PATIENCE).text());
      assertEquals(HttpStatus.FOUND, client.get(uri(server, "/loop")).await(PATIENCE).status());
    }
  }

  @Test
  void relativeUriIsRefused() {
    try (HttpClient client = HttpClient.create(SETTINGS)) {
      assertInstanceOf(IllegalArgumentException.class, failure(client.get("/x")));
    }
  }

  @Test
  void refusedConnectionFails() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    try (HttpClient client = HttpClient.create(SETTINGS)) {
      assertInstanceOf(ConnectException.class, failure(client.get("http://127.0.0.1:" + port)));
    }
  }

  @Test
  void wholeTimeoutEndsTheRequest() throws Exception {
    Manual manual = new Manual();
    try (RunningServer server = Servers.start("nio", manual);
        HttpClient client =
            HttpClient.create(
                SETTINGS.withRequests(
                    HttpClientSettings.RequestRules.DEFAULT.withTimeout(Duration.ofMillis(50))))) {
      assertInstanceOf(SocketTimeoutException.class, failure(client.get(uri(server, "/"))));
      Baseline.await("the exchange is reset", () -> server.connections() == 0);
    }
  }

  @Test
  void failureOfATooLongBodyHasItsReason() throws Exception {
    Http1Settings small =
        SETTINGS.http1().withExchanges(SETTINGS.http1().exchanges().withMaxBody(3));
    try (RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("long")));
        HttpClient client = HttpClient.create(SETTINGS.withHttp1(small))) {
      ExchangeEndedException ended =
          assertInstanceOf(ExchangeEndedException.class, failure(client.get(uri(server, "/"))));
      HttpException reason = assertInstanceOf(HttpException.class, ended.getCause());
      assertEquals(HttpStatus.CONTENT_TOO_LARGE, reason.status());
    }
  }

  @Test
  void cancelledRequestIsReset() throws Exception {
    Manual manual = new Manual();
    try (RunningServer server = Servers.start("nio", manual);
        HttpClient client = HttpClient.create(SETTINGS)) {
      Future<HttpResponse> future = client.get(uri(server, "/"));
      manual.exchanges.take();
      assertTrue(future.cancel());
      Baseline.await("the connection closes", () -> server.connections() == 0);
    }
  }

  @Test
  void requestsUseTheGivenLoop() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, "nio"));
        RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("x")));
        HttpClient client = HttpClient.create(SETTINGS)) {
      EventLoop loop = group.next();
      ClientExchange x = client.on(loop).open(RequestHead.get(uri(server, "/"))).await(PATIENCE);
      assertEquals(loop, x.loop());
      x.execute(() -> x.reset(ResetCode.CANCEL));
    }
  }

  @Test
  void connectOpensAConnectionOutsideOfThePool() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, "nio"));
        RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("x")));
        HttpClient client = HttpClient.create(SETTINGS)) {
      EventLoop loop = group.next();
      ClientConnection connection =
          client.connect(loop, "http", new Authority("127.0.0.1", server.port())).await(PATIENCE);
      Future<byte[]> body =
          loop.submit(() -> connection.open(RequestHead.get(uri(server, "/"))))
              .flatMap(opened -> opened)
              .flatMap(x -> x.readAll(10));
      assertEquals("x", new String(body.await(PATIENCE), java.nio.charset.StandardCharsets.UTF_8));
      connection.close();
      connection.closed().await(PATIENCE);
    }
  }

  @Test
  void closedClientRefusesRequests() throws Exception {
    try (RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("x")))) {
      HttpClient client = HttpClient.create(SETTINGS);
      client.get(uri(server, "/")).await(PATIENCE);
      client.close();
      Baseline.await("its connections close", () -> server.connections() == 0);
      assertThrows(IllegalStateException.class, () -> client.get(uri(server, "/")));
    }
  }

  @Test
  void proxyReceivesTheWholeUri() throws Exception {
    try (RunningServer proxy =
            Servers.start(
                "nio",
                x ->
                    x.respond(
                        HttpResponse.text(
                            x.request().target() + " for " + x.request().authority())));
        HttpClient client =
            HttpClient.create(
                SETTINGS.withRequests(
                    HttpClientSettings.RequestRules.DEFAULT.withProxy(
                        new Authority("127.0.0.1", proxy.port()))))) {
      assertEquals(
          "http://origin.test/x for origin.test",
          client.get("http://origin.test/x").await(PATIENCE).text());
    }
  }

  @Test
  void responseToHeadKeepsItsLength() throws Exception {
    try (RunningServer server = Servers.start("nio", x -> x.respond(HttpResponse.text("four")));
        HttpClient client = HttpClient.create(SETTINGS)) {
      HttpResponse response =
          client
              .send(
                  HttpRequest.of(
                      RequestHead.builder(HttpMethod.HEAD, uri(server, "/")).build(), new byte[0]))
              .await(PATIENCE);
      assertEquals(4, response.head().contentLength());
      assertEquals("", response.text());
    }
  }

  @Test
  void serverThatClosesAfterEachResponseCostsNothing() throws Exception {
    try (RunningServer server =
            Servers.start(
                "nio",
                x -> {
                  x.connection().drain();
                  x.respond(HttpResponse.text("x"));
                });
        HttpClient client = HttpClient.create(pool(2, 1000, PATIENCE))) {
      List<Future<HttpResponse>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(client.get(uri(server, "/")));
      }
      for (Future<HttpResponse> one : all) {
        assertEquals("x", one.await(PATIENCE).text());
      }
    }
  }

  @Test
  void settingsAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> pool(0, 1, PATIENCE));
    assertThrows(IllegalArgumentException.class, () -> pool(1, -1, PATIENCE));
    assertThrows(IllegalArgumentException.class, () -> pool(1, 1, Duration.ZERO));
    assertFalse(SETTINGS.pool().equals(pool(1, 1, PATIENCE).pool()));
  }

  @Test
  void failureIsAnIoException() {
    try (HttpClient client = HttpClient.create(SETTINGS)) {
      assertInstanceOf(IOException.class, failure(client.get("http://no-such-host.invalid/")));
    }
  }
}
