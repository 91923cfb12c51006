package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The n-th allocation of a client's connection fails, for every n: each exchange ends once, and
/// nothing is held.
final class ClientAllocationFaultTest {

  private static final RequestHead UPLOAD =
      RequestHead.builder(HttpMethod.POST, "http://a/")
          .add("expect", "100-continue")
          .contentLength(RequestHead.UNKNOWN_LENGTH)
          .build();

  private static void upload(TestClient client, List<Outcome> outcomes) {
    Future<ClientExchange> opened = client.http1().connection().open(UPLOAD);
    if (!opened.isSuccess()) {
      return;
    }
    ClientExchange x = opened.value();
    x.onEnd(outcomes::add);
    x.readAll(100_000);
    try {
      x.requestBody().write(TestServer.bytes("x".repeat(100)));
      x.requestBody().write(TestServer.bytes("x".repeat(20_000)));
      x.requestBody().end(HttpHeaders.of("t", "1"));
    } catch (OutOfMemoryError _) {
      // the caller of the write receives the fault; the exchange has ended
    }
    client.peer.runTasks();
    client.answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-enc");
    client.answer("oding: chunked\r\n\r\n5\r\nhel").answer("lo\r\n0\r\nt: 1\r\n").answer("\r\n");
  }

  private static boolean run(int at) {
    int[] left = {at};
    List<Outcome> outcomes = new ArrayList<>();
    int opened = 0;
    try (TestClient client = new TestClient()) {
      Heaps.probe(() -> {
        if (--left[0] == 0) {
          throw new OutOfMemoryError("the fault of this test");
        }
      });
      for (int i = 0; i < 2 && !client.peer.isClosed(); i++) {
        opened++;
        upload(client, outcomes);
      }
      Heaps.probe(null);
      client.advance(Duration.ofMinutes(5));
      client.assertClosed();
    }
    assertEquals(opened, outcomes.size(), "allocation " + at + ": " + outcomes);
    boolean failed = left[0] <= 0;
    if (!failed) {
      assertTrue(outcomes.stream().allMatch(Outcome::isCompleted), outcomes.toString());
    }
    return failed;
  }

  @Test
  void everyFailedAllocationEndsTheExchange() {
    int at = 1;
    long shared = ByteBufAllocator.shared().metrics().used();
    while (run(at)) {
      assertEquals(shared, ByteBufAllocator.shared().metrics().used(), "allocation " + at);
      at++;
    }
    assertTrue(at > 3, "the script allocates " + (at - 1) + " times");
  }
}
