package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.ResetCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RequestMetricsTest {

  private static RunningServer server() {
    return Servers.start(
        "nio",
        new Routes()
            .get("/text", x -> x.respond(HttpResponse.text("hello")))
            .post(
                "/length",
                x -> x.respond(x.readAll(100).map(body -> HttpResponse.text(body.length + ""))))
            .get(
                "/later",
                x ->
                    x.loop()
                        .schedule(
                            () -> x.respond(HttpResponse.text("late")), Duration.ofMillis(50)))
            .get("/blocking", Blocking.handler(_ -> HttpResponse.text("blocked")))
            .get(
                "/fails",
                _ -> {
                  throw new IOException("fault of the test");
                })
            .get("/reset", x -> x.reset(ResetCode.CANCEL))
            .get("/never", _ -> {}));
  }

  private static RequestMetrics after(RunningServer server, long ended) {
    Baseline.await("exchanges", () -> server.metrics().requests().ended() >= ended);
    return server.metrics().requests();
  }

  @Test
  void exchangesAreCountedByStatus() throws Exception {
    try (RunningServer server = server()) {
      for (int i = 0; i < 100; i++) {
        Wire.get(server, "/text");
      }
      RequestMetrics texts = after(server, 100);
      assertEquals(100, texts.ended());
      assertEquals(100, texts.withStatus(2));
      assertEquals(500, texts.bytesSent());
      assertEquals(0, texts.active() + texts.aborted());
      assertTrue(texts.latency(1).isPositive(), "sampled");
      Wire.get(server, "/none");
      Wire.get(server, "/fails");
      Wire.get(server, "/blocking");
      try (Wire wire = new Wire(server)) {
        wire.send("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n1234567").answer();
        wire.send("GET /reset HTTP/1.1\r\nHost: a\r\n\r\n").ends();
      }
      RequestMetrics others = after(server, 105).since(texts);
      assertEquals(5, others.ended());
      assertEquals(2, others.withStatus(2));
      assertEquals(1, others.withStatus(4));
      assertEquals(1, others.withStatus(5));
      assertEquals(1, others.withStatus(0));
      assertEquals(1, others.aborted());
      assertEquals(7, others.bytesReceived());
    }
  }

  @Test
  void latencyIsThatOfTheWholeExchange() throws Exception {
    try (RunningServer server = server()) {
      Wire.get(server, "/later");
      Duration latency = after(server, 1).latency(0.5);
      assertTrue(latency.compareTo(Duration.ofMillis(50)) >= 0, latency.toString());
      assertTrue(latency.compareTo(Duration.ofSeconds(20)) < 0, latency.toString());
    }
  }

  @Test
  void openExchangesAreActive() throws Exception {
    try (RunningServer server = server();
        Wire wire = new Wire(server)) {
      wire.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
      Baseline.await("active", () -> server.metrics().requests().active() == 1);
      assertEquals(1, server.metrics().connections());
      wire.close();
      RequestMetrics ended = after(server, 1);
      assertEquals(0, ended.active());
      assertEquals(1, ended.aborted());
    }
  }

  @Test
  void serverWithoutRequestsHasNoLatency() {
    try (RunningServer server = server()) {
      RequestMetrics none = server.metrics().requests();
      assertEquals(Duration.ZERO, none.latency(0.99));
      assertThrows(IllegalArgumentException.class, () -> none.latency(0));
      assertThrows(IllegalArgumentException.class, () -> none.latency(Double.NaN));
      assertThrows(IndexOutOfBoundsException.class, () -> none.withStatus(6));
    }
  }

  @Test
  void bucketsCoverAllLatencies() {
    long end = 0;
    for (int i = 0; i < LatencyBuckets.COUNT; i++) {
      assertEquals(i, LatencyBuckets.of(end), "begin of " + i);
      long next = LatencyBuckets.end(i);
      assertEquals(i, LatencyBuckets.of(next - 1), "end of " + i);
      assertTrue(i < 8 || (next - end) * 8 <= end, "width of " + i);
      end = next;
    }
    assertTrue(end > Duration.ofMinutes(71).toNanos());
    assertEquals(LatencyBuckets.COUNT - 1, LatencyBuckets.of(Long.MAX_VALUE));
    assertEquals(0, LatencyBuckets.of(-1));
  }

  @Test
  void flightRecorderGetsEachRequestIfItIsEnabled(@TempDir Path dir) throws Exception {
    try (RunningServer server = server();
        Recording off = new Recording();
        Recording on = new Recording()) {
      off.start();
      Wire.get(server, "/text");
      after(server, 1);
      off.stop();
      on.enable("dev.quickwater.HttpRequest");
      on.start();
      Wire.get(server, "/text?q");
      Wire.get(server, "/later");
      after(server, 3);
      on.stop();
      assertEquals(List.of(), events(off, dir.resolve("off.jfr")));
      List<RecordedEvent> events = events(on, dir.resolve("on.jfr"));
      assertEquals(2, events.size());
      RecordedEvent text =
          events.stream()
              .filter(e -> "/text?q".equals(e.getString("target")))
              .findAny()
              .orElseThrow();
      assertEquals("GET", text.getString("method"));
      assertEquals(200, text.getInt("status"));
      assertEquals(5, text.getLong("sent"));
      assertTrue(text.getDuration("latency").isPositive());
    }
  }

  private static List<RecordedEvent> events(Recording recording, Path file) throws IOException {
    recording.dump(file);
    try {
      return RecordingFile.readAllEvents(file).stream()
          .filter(e -> e.getEventType().getName().equals("dev.quickwater.HttpRequest"))
          .toList();
    } finally {
      Files.delete(file);
    }
  }
}
