package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// On a loop that the test steps, in virtual time.
final class LocalHttpTest {

  private static LocalHttp local(EmbeddedChannel host, HttpHandler handler) {
    return local(host, handler, HttpVersion.HTTP_1_1);
  }

  private static LocalHttp local(EmbeddedChannel host, HttpHandler handler, HttpVersion version) {
    LocalHttp http = new LocalHttp(host.loop(), handler, version);
    host.runTasks();
    return http;
  }

  private static void end(EmbeddedChannel host, LocalHttp http) {
    http.close();
    host.runTasks();
    assertTrue(http.closed().isDone());
    assertEquals(0, host.loop().allocator().metrics().used(), "bytes of buffers still held");
    host.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void handlerAnswersWithoutNetwork(HttpVersion version) {
    EmbeddedChannel host = new EmbeddedChannel();
    LocalHttp http = local(host, x -> x.respond(HttpResponse.text(x.request().path())), version);
    Future<HttpResponse> response = http.send(HttpRequest.get("/hello"));
    host.runTasks();
    assertEquals("/hello", response.value().text());
    end(host, http);
  }

  @Test
  void requestsFollowEachOther() {
    EmbeddedChannel host = new EmbeddedChannel();
    LocalHttp http =
        new LocalHttp(
            host.loop(),
            x -> x.respond(HttpResponse.text(x.request().path())),
            HttpVersion.HTTP_1_1);
    Future<HttpResponse> first = http.send(HttpRequest.get("/1"));
    Future<HttpResponse> second = http.send(HttpRequest.post("/2", "a/b", new byte[1000]));
    Future<HttpResponse> third = http.send(HttpRequest.get("/3"));
    host.runTasks();
    assertEquals("/1/2/3", first.value().text() + second.value().text() + third.value().text());
    end(host, http);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void timeIsVirtual(HttpVersion version) {
    EmbeddedChannel host = new EmbeddedChannel();
    LocalHttp http = local(host, _ -> {}, version);
    Future<HttpResponse> response = http.send(HttpRequest.get("/never"));
    host.runTasks();
    assertFalse(response.isDone());
    host.advance(Duration.ofMinutes(2));
    assertTrue(
        response.cause() instanceof ExchangeEndedException ended && !ended.outcome().isCompleted());
    end(host, http);
  }

  @Test
  void otherVersionsAreRefused() {
    EmbeddedChannel host = new EmbeddedChannel();
    assertThrows(
        UnsupportedOperationException.class,
        () -> new LocalHttp(host.loop(), _ -> {}, HttpVersion.HTTP_1_0));
    host.close();
  }

  /// Exchanges in which either side aborts, ends early or is slow, chosen at random: each ends
  /// once, none receives the response of another one, and no buffer is left.
  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void randomExchangesEndOnce(HttpVersion version) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      EmbeddedChannel host = new EmbeddedChannel();
      LocalHttp http = local(host, x -> answer(random, x), version);
      for (int i = 0; i < 200; i++) {
        if (http.closed().isDone()) {
          http = local(host, x -> answer(random, x), version);
        }
        exchange(random, host, http, i);
      }
      end(host, http);
    }
  }

  private static void answer(Random random, dev.quickwater.http.HttpExchange x) {
    byte[] path = x.request().path().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    switch (random.nextInt(12)) {
      case 0 -> x.reset(ResetCode.CANCEL);
      case 1 -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK)));
      case 2 -> x.readAll(1000).onComplete(_ -> x.respond(HttpResponse.text(x.request().path())));
      case 3 -> {
        var out = x.respond(ResponseHead.of(HttpStatus.OK));
        out.write(x.loop().allocator().allocate(path.length).writeBytes(path));
        out.flush();
        if (random.nextBoolean()) {
          out.end();
        } else {
          x.reset(ResetCode.CANCEL);
        }
      }
      case 4 -> {
        x.inform(HttpStatus.of(103), dev.quickwater.http.HttpHeaders.EMPTY);
        x.respond(HttpResponse.text(x.request().path()));
      }
      case 5 ->
          x.loop()
              .schedule(
                  () -> x.respond(HttpResponse.text(x.request().path())),
                  Duration.ofMillis(random.nextInt(100)));
      case 6 -> {
        x.connection().drain();
        x.respond(HttpResponse.text(x.request().path()));
      }
      default -> x.respond(HttpResponse.text(x.request().path()));
    }
  }

  private static void exchange(Random random, EmbeddedChannel host, LocalHttp http, int number) {
    boolean body = random.nextBoolean();
    String path = "/" + number;
    RequestHead head =
        RequestHead.builder(
                body ? dev.quickwater.http.HttpMethod.POST : dev.quickwater.http.HttpMethod.GET,
                path)
            .contentLength(body ? RequestHead.UNKNOWN_LENGTH : 0)
            .build();
    Future<ClientExchange> opened = http.open(head);
    host.runTasks();
    if (!opened.isSuccess()) {
      return; // the connection closed before
    }
    ClientExchange x = opened.value();
    int[] ends = {0};
    Outcome[] outcome = new Outcome[1];
    x.onEnd(end -> {
      ends[0]++;
      outcome[0] = end;
    });
    Future<byte[]> all = x.readAll(random.nextInt(20) == 0 ? 1 : 100_000);
    if (body) {
      for (int i = random.nextInt(3); i > 0; i--) {
        x.requestBody().write(x.loop().allocator().allocate(100).writeBytes(new byte[100]));
        if (random.nextBoolean()) {
          host.runTasks();
        }
      }
      if (random.nextInt(10) != 0) {
        x.requestBody().end();
      }
    }
    if (random.nextInt(10) == 0) {
      x.reset(ResetCode.CANCEL);
    }
    host.runTasks();
    host.advance(Duration.ofMillis(200));
    if (ends[0] == 0) {
      host.advance(Duration.ofMinutes(2));
    }
    assertEquals(1, ends[0], path);
    if (all.isSuccess()) {
      String text = new String(all.value(), java.nio.charset.StandardCharsets.UTF_8);
      assertTrue(text.equals(path) || body || text.isEmpty(), text + " for " + path);
    } else {
      assertFalse(outcome[0].isCompleted(), path);
    }
  }
}
