package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.PushListener;
import dev.quickwater.web.VersionSettings.Versions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses that a server of ours pushes to a client.
final class PushedResponsesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BlockingQueue<String> pushed = new LinkedBlockingQueue<>();

  private void handle(HttpExchange x) {
    if (x.request().path().equals("/page") && x.acceptsPush()) {
      for (int i = 0; i < 3; i++) {
        x.push(RequestHead.get("/style" + i));
      }
    }
    x.respond(HttpResponse.text("body of " + x.request().path()));
  }

  private void promised(RequestHead cause, ClientExchange push) {
    push.readAll(1000)
        .onComplete(body ->
            pushed.add(
                cause
                    + ": "
                    + push.request()
                    + " "
                    + (body.isSuccess()
                        ? new String(body.value(), StandardCharsets.UTF_8)
                        : body.cause())));
  }

  private static HttpClient client(@Nullable PushListener listener, VersionSettings versions) {
    return HttpClient.create(
        HttpClientSettings.DEFAULT
            .withLoops(new LoopSettings(1, "nio"))
            .withVersions(versions)
            .withRequests(HttpClientSettings.RequestRules.DEFAULT.withPushes(listener)));
  }

  private RunningServer server() {
    return Servers.start(
        "nio", this::handle, s -> s.withVersions(s.versions().withH2cUpgrade(true)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clientWithAListenerReceivesThem(boolean upgrade) throws Exception {
    VersionSettings versions =
        upgrade
            ? HttpClientSettings.DEFAULT.versions().withH2cUpgrade(true)
            : HttpClientSettings.DEFAULT.versions().with(Versions.HTTP_2);
    try (RunningServer server = server();
        HttpClient client = client(this::promised, versions)) {
      String uri = "http://127.0.0.1:" + server.port() + "/page";
      for (int round = 0; round < 3; round++) {
        assertEquals("body of /page", client.get(uri).await(PATIENCE).text());
        for (int i = 0; i < 3; i++) {
          assertEquals(
              "GET /page: GET /style" + i + " body of /style" + i,
              pushed.poll(30, TimeUnit.SECONDS));
        }
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void clientWithoutAListenerDisablesPush() throws Exception {
    BlockingQueue<Boolean> accepted = new LinkedBlockingQueue<>();
    try (RunningServer server =
            Servers.start(
                "nio",
                x -> {
                  accepted.add(x.acceptsPush());
                  x.respond(HttpResponse.text("page"));
                });
        HttpClient client =
            client(null, HttpClientSettings.DEFAULT.versions().with(Versions.HTTP_2))) {
      String uri = "http://127.0.0.1:" + server.port() + "/page";
      assertEquals("page", client.get(uri).await(PATIENCE).text());
      assertFalse(accepted.remove());
    }
  }
}
