package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpClientSettings.PoolLimits;
import dev.quickwater.web.HttpClientSettings.RequestRules;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Ten thousand requests through eight connections to a server that resets at random.
final class RandomResetsTest {

  private static final int REQUESTS = 10_000;

  private final ConcurrentHashMap<String, AtomicInteger> handled = new ConcurrentHashMap<>();
  private final Random random = new Random(7);

  /// One in 20 requests is reset: before, during or after its response.
  private void answer(HttpExchange x) {
    String path = x.request().path();
    handled.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
    int dice;
    synchronized (random) {
      dice = random.nextInt(80);
    }
    switch (dice) {
      case 0 -> x.reset(ResetCode.CANCEL);
      case 1 -> {
        var out = x.respond(ResponseHead.of(HttpStatus.OK).withLength(10));
        out.write(x.loop().allocator().allocate(3).writeBytes(new byte[3]));
        out.flush();
        x.reset(ResetCode.CANCEL);
      }
      case 2 -> {
        x.connection().drain();
        x.respond(HttpResponse.text(path));
      }
      case 3 -> {
        x.respond(HttpResponse.text(path));
        x.connection().drain();
      }
      default -> x.respond(HttpResponse.text(path));
    }
  }

  private record Result(int good, int bad, int wrong) {}

  private Result run(boolean post) throws Exception {
    HttpClientSettings settings =
        HttpClientSettings.DEFAULT
            .withLoops(new LoopSettings(1, "nio"))
            .withPool(new PoolLimits(8, REQUESTS, Duration.ofSeconds(40)))
            .withRequests(RequestRules.DEFAULT.withMaxRepeats(8));
    AtomicInteger good = new AtomicInteger();
    AtomicInteger bad = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(REQUESTS);
    try (RunningServer server = Servers.start("nio", this::answer);
        HttpClient client = HttpClient.create(settings)) {
      long used = server.usedBytes();
      for (int i = 0; i < REQUESTS; i++) {
        String path = "/" + i;
        String uri = "http://127.0.0.1:" + server.port() + path;
        HttpRequest request =
            post ? HttpRequest.post(uri, "text/plain", new byte[10]) : HttpRequest.get(uri);
        client
            .send(request)
            .onComplete(done -> {
              if (!done.isSuccess()) {
                bad.incrementAndGet();
              } else if (done.value().text().equals(path)) {
                good.incrementAndGet();
              } else {
                wrong.incrementAndGet();
              }
              all.countDown();
            });
      }
      assertTrue(all.await(50, TimeUnit.SECONDS), all.getCount() + " requests were lost");
      assertTrue(server.connections() <= 16, "a pool of 8");
      assertEquals(REQUESTS, good.get() + bad.get() + wrong.get());
      client.close();
      Baseline.awaitQuiet(server, used);
    }
    return new Result(good.get(), bad.get(), wrong.get());
  }

  @Test
  void idempotentRequestsAllSucceed() throws Exception {
    assertEquals(new Result(REQUESTS, 0, 0), run(false));
    assertTrue(
        handled.values().stream().anyMatch(count -> count.get() > 1), "nothing was repeated");
  }

  @Test
  void otherRequestsAreHandledAtMostOnce() throws Exception {
    Result result = run(true);
    assertEquals(0, result.wrong);
    assertTrue(result.bad > 0, "no request failed");
    assertTrue(
        handled.values().stream().allMatch(count -> count.get() == 1), "a POST was repeated");
  }
}
