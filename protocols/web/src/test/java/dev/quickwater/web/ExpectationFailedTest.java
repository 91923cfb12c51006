package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.web.VersionSettings.Versions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Servers that do not support expectations (RFC 9110 section 10.1.1).
final class ExpectationFailedTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Queue<String> expectations = new ConcurrentLinkedQueue<>();

  private void refusing(HttpExchange x) {
    String expect = String.valueOf(x.request().headers().get(HeaderName.EXPECT));
    expectations.add(expect);
    if (x.request().path().equals("/always") || !expect.equals("null")) {
      x.respond(HttpResponse.text(HttpStatus.EXPECTATION_FAILED, "not supported"));
    } else {
      x.respond(x.readAll(100).map(body -> HttpResponse.text(HttpStatus.OK, "" + body.length)));
    }
  }

  private HttpResponse post(Versions versions, String path, byte[] body) throws Exception {
    HttpClientSettings settings =
        HttpClientSettings.DEFAULT
            .withLoops(new LoopSettings(1, "nio"))
            .withVersions(HttpClientSettings.DEFAULT.versions().with(versions));
    try (RunningServer server = Servers.start("nio", this::refusing);
        HttpClient client = HttpClient.create(settings)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, "http://127.0.0.1:" + server.port() + path)
              .add(HeaderName.EXPECT, "100-continue")
              .build();
      return client.send(HttpRequest.of(head, body)).await(PATIENCE);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void requestIsRepeatedWithoutTheExpectation(Versions versions) throws Exception {
    assertEquals("7", post(versions, "/", new byte[7]).text());
    assertEquals(List.of("100-continue", "null"), List.copyOf(expectations));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void requestWithoutAnExpectationIsNotRepeated(Versions versions) throws Exception {
    assertEquals(417, post(versions, "/always", new byte[7]).status().code());
    assertEquals(List.of("100-continue", "null"), List.copyOf(expectations));
  }
}
