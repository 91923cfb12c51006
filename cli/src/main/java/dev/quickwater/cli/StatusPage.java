package dev.quickwater.cli;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.channel.LoopMetrics;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.web.RequestMetrics;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.ServerMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The page at `/` and its figures, as JSON, at `/stats`.
final class StatusPage {

  /// The minimum period of latencies, even if figures are requested more often.
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private volatile @Nullable RunningServer server;

  /// Made for the first request.
  private volatile @Nullable HttpResponse page;

  private @Nullable ServerMetrics earlier;
  private @Nullable ServerMetrics latest;

  void watch(RunningServer running) {
    server = running;
  }

  /// The page. Its policy allows only the script and the style inside the page, and only the
  /// figures as a further resource.
  HttpResponse html() {
    @Nullable HttpResponse known = page;
    if (known == null) {
      known = readPage();
      page = known;
    }
    return known;
  }

  private static HttpResponse readPage() {
    try (InputStream in = StatusPage.class.getResourceAsStream("status.html")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      String policy =
          "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; script-src "
              + hash(text, "script")
              + "; style-src "
              + hash(text, "style");
      HttpHeaders fields =
          ServeHandler.fields("text/html; charset=utf-8").toBuilder()
              .add("content-security-policy", policy)
              .add("cache-control", "no-cache")
              .build();
      return HttpResponse.of(HttpStatus.OK, fields, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The source expression of the text in an element (CSP level 3, section 2.3.1).
  private static String hash(String page, String element) {
    String begin = "<" + element + ">";
    String text =
        page.substring(page.indexOf(begin) + begin.length(), page.indexOf("</" + element + ">"));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has SHA-256
    }
  }

  /// The figures as JSON.
  HttpResponse figures() {
    return ServeHandler.whole("application/json", json())
        .with(HeaderName.CACHE_CONTROL, "no-store");
  }

  /// The figures of the last seconds.
  private synchronized RequestMetrics period(ServerMetrics now) {
    if (latest == null || now.uptime().minus(latest.uptime()).compareTo(PERIOD) >= 0) {
      earlier = latest;
      latest = now;
    }
    return earlier == null ? now.requests() : now.requests().since(earlier.requests());
  }

  private String json() {
    @Nullable RunningServer running = server;
    if (running == null) {
      return "{}";
    }
    ServerMetrics metrics = running.metrics();
    RequestMetrics period = period(metrics);
    StringBuilder json = new StringBuilder(1024);
    json.append("{\"version\":\"").append(Main.version());
    json.append("\",\"transport\":\"").append(running.transport().name());
    json.append("\",\"uptimeMillis\":").append(metrics.uptime().toMillis());
    json.append(",\"connections\":").append(metrics.connections());
    json.append(",\"usedBytes\":").append(running.usedBytes());
    json.append(",\"reservedBytes\":").append(AllocatorMetrics.reservedInProcess());
    requests(json, metrics.requests());
    json.append(",\"latencyMicros\":{\"p50\":").append(micros(period.latency(0.5)));
    json.append(",\"p99\":").append(micros(period.latency(0.99)));
    json.append("},\"loops\":[");
    String separator = "";
    for (LoopMetrics loop : metrics.loops()) {
      loop(json.append(separator), loop);
      separator = ",";
    }
    return json.append("]}").toString();
  }

  private static long micros(Duration latency) {
    return latency.toNanos() / 1000;
  }

  private static void requests(StringBuilder json, RequestMetrics requests) {
    json.append(",\"requests\":{\"active\":").append(requests.active());
    json.append(",\"aborted\":").append(requests.aborted());
    json.append(",\"received\":").append(requests.bytesReceived());
    json.append(",\"sent\":").append(requests.bytesSent());
    json.append(",\"status\":[");
    for (int i = 0; i < 6; i++) {
      json.append(i == 0 ? "" : ",").append(requests.withStatus(i));
    }
    json.append("]}");
  }

  private static void loop(StringBuilder json, LoopMetrics loop) {
    json.append("{\"name\":\"").append(loop.name());
    json.append("\",\"channels\":").append(loop.channels());
    json.append(",\"turns\":").append(loop.turns());
    json.append(",\"busyNanos\":").append(loop.busyNanos());
    json.append(",\"usedBytes\":").append(loop.usedBytes());
    json.append(",\"reservedBytes\":").append(loop.reservedBytes()).append('}');
  }
}
