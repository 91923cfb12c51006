package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.http2.WindowSettings;
import dev.quickwater.web.HttpClientSettings.PoolLimits;
import dev.quickwater.web.VersionSettings.Versions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/// The pool of a client whose connections carry many exchanges.
final class MultiplexedPoolTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static HttpClientSettings pool(int connections, int waiting) {
    return HttpClientSettings.DEFAULT
        .withLoops(new LoopSettings(1, "nio"))
        .withVersions(HttpClientSettings.DEFAULT.versions().with(Versions.HTTP_2))
        .withPool(new PoolLimits(connections, waiting, Duration.ofSeconds(5)));
  }

  private static String uri(RunningServer server, String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  /// Only the settings of the server permit extended CONNECT (RFC 8441 section 3).
  @Test
  void extendedConnectMayBeTheFirstRequest() throws Exception {
    try (RunningServer server = Servers.start("nio", x -> x.tunnel(HttpHeaders.EMPTY, _ -> {}));
        HttpClient client = HttpClient.create(pool(1, 10))) {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, uri(server, "/chat")).protocol("echo").build();
      ClientExchange exchange = client.open(head).await(PATIENCE);
      assertEquals(HttpVersion.HTTP_2, exchange.connection().version());
    }
  }

  @Test
  void drainingConnectionDoesNotOccupyThePool() throws Exception {
    BlockingQueue<HttpExchange> held = new LinkedBlockingQueue<>();
    try (RunningServer server =
            Servers.start(
                "nio",
                x -> {
                  if (x.request().path().equals("/held")) {
                    held.add(x);
                    x.connection().drain();
                  } else {
                    x.respond(HttpResponse.text("next"));
                  }
                });
        HttpClient client = HttpClient.create(pool(1, 10))) {
      Future<HttpResponse> first = client.get(uri(server, "/held"));
      HttpExchange open = held.take();
      while (server.connections() < 2) { // until the final GOAWAY has arrived
        assertEquals("next", client.get(uri(server, "/more")).await(PATIENCE).text());
      }
      assertEquals("next", client.get(uri(server, "/last")).await(PATIENCE).text());
      open.execute(() -> open.respond(HttpResponse.text("late")));
      assertEquals("late", first.await(PATIENCE).text());
    }
  }

  /// More requests than a recursive implementation could serve on the stack.
  @Test
  void manyWaitingRequestsAreServedAtOnce() throws Exception {
    int count = 16_000;
    Http2Settings defaults = Http2Settings.DEFAULT;
    Http2Settings.StreamLimits limits =
        new Http2Settings.StreamLimits(count, 32 << 10, 100, 0, 4096);
    try (RunningServer server =
            Servers.start(
                "nio",
                x -> x.respond(HttpResponse.text(x.request().path())),
                s ->
                    s.withHttp2(
                        defaults
                            .withWindows(
                                new WindowSettings(65_535, 1 << 20, 1 << 20, 2_100_000_000))
                            .withStreams(limits)
                            .withBudgets(defaults.budgets().withHeldFields(1 << 30))));
        HttpClient client = HttpClient.create(pool(1, count))) {
      List<Future<HttpResponse>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(client.get(uri(server, "/" + i)));
      }
      for (int i = 0; i < count; i++) {
        assertEquals("/" + i, all.get(i).await(PATIENCE).text());
      }
      assertTrue(server.connections() <= 1);
    }
  }
}
