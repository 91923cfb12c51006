package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The body of a blocking handler when the handler has returned.
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BlockingBodyTest {

  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";

  private static String answer(TestServer server) {
    server.send(POST);
    while (server.outcomes().isEmpty()) {
      Thread.onSpinWait();
    }
    return server.sent();
  }

  @Test
  void writerOfTheResponseReadsTheRest() {
    try (TestServer server =
        new TestServer(
            Blocking.handler(x -> {
              int first = x.body().read();
              return HttpResponse.stream(
                  ResponseHead.of(HttpStatus.OK),
                  out -> {
                    out.write(first);
                    x.body().transferTo(out);
                  });
            }))) {
      assertTrue(answer(server).endsWith("\r\n3\r\nabc\r\n0\r\n\r\n"));
    }
  }

  @Test
  void handlerAnswersABodyThatBreaksARule() {
    try (TestServer server =
        new TestServer(
            Blocking.handler(x -> {
              try {
                x.body().readAllBytes();
                return HttpResponse.text("complete");
              } catch (IOException e) {
                return HttpResponse.text(HttpStatus.of(422), "broken");
              }
            }))) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      while (!server.isReading()) {
        server.peer.runTasks();
        Thread.onSpinWait();
      }
      server.send("nonsense");
      while (server.outcomes().isEmpty()) {
        Thread.onSpinWait();
      }
      String sent = server.sent();
      assertTrue(sent.startsWith("HTTP/1.1 422") && sent.endsWith("broken"), sent);
    }
  }

  @Test
  void restOfTheBodyIsNoEndAfterTheHandler() {
    AtomicReference<InputStream> kept = new AtomicReference<>();
    try (TestServer server =
        new TestServer(
            Blocking.handler(x -> {
              kept.set(x.body());
              x.body().read();
              return HttpResponse.text("x");
            }))) {
      assertEquals(TestServer.ok("x"), answer(server));
      assertThrows(IOException.class, () -> kept.get().readAllBytes());
    }
  }
}
