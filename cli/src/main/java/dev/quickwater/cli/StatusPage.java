package dev.quickwater.cli;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.channel.LoopMetrics;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The page at `/` and its figures, as JSON, at `/stats`.
final class StatusPage {

  private volatile @Nullable RunningServer server;

  void watch(RunningServer running) {
    server = running;
  }

  /// The page.
  HttpResponse html() {
    try (InputStream page = StatusPage.class.getResourceAsStream("status.html")) {
      return HttpResponse.of(
          HttpStatus.OK,
          ServeHandler.fields("text/html; charset=utf-8"),
          Objects.requireNonNull(page).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Its figures.
  HttpResponse figures() {
    return ServeHandler.whole("application/json", json());
  }

  private String json() {
    @Nullable RunningServer running = server;
    if (running == null) {
      return "{}";
    }
    StringBuilder json = new StringBuilder(512);
    json.append("{\"transport\":\"").append(running.transport().name());
    json.append("\",\"connections\":").append(running.connections());
    json.append(",\"usedBytes\":").append(running.usedBytes());
    json.append(",\"reservedBytes\":").append(AllocatorMetrics.reservedInProcess());
    json.append(",\"loops\":[");
    String separator = "";
    for (LoopMetrics loop : running.metrics()) {
      json.append(separator);
      json.append("{\"name\":\"").append(loop.name());
      json.append("\",\"channels\":").append(loop.channels());
      json.append(",\"turns\":").append(loop.turns());
      json.append(",\"busyNanos\":").append(loop.busyNanos());
      json.append(",\"usedBytes\":").append(loop.usedBytes());
      json.append(",\"reservedBytes\":").append(loop.reservedBytes()).append('}');
      separator = ",";
    }
    return json.append("]}").toString();
  }
}
