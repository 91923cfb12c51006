package dev.quickwater.web;

import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.engine.ServerExchange;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// The JFR event of an exchange of a server; off unless a recording enables it.
@Name("dev.quickwater.HttpRequest")
@Label("HTTP Request")
@Description("A server's exchange has ended")
@Category({"Quickwater", "HTTP"})
@Enabled(false)
@StackTrace(false)
final class HttpRequestEvent extends Event {

  /// Maximum characters of the target; a longer target is truncated.
  private static final int MAX_TARGET = 1024;

  /// Used only to test whether the event is enabled: a disabled event then allocates nothing.
  private static final HttpRequestEvent PROBE = new HttpRequestEvent();

  @Label("Method")
  @Nullable String method;

  @Label("Target")
  @Nullable String target;

  @Label("Peer")
  @Nullable String peer;

  @Label("Status")
  @Description("0 if there was no response")
  int status;

  @Label("Received")
  @DataAmount
  long received;

  @Label("Sent")
  @DataAmount
  long sent;

  @Label("Latency")
  @Timespan(Timespan.NANOSECONDS)
  long latency;

  /// True if a recording has enabled the event.
  static boolean isRecorded() {
    return PROBE.isEnabled();
  }

  static void record(ServerExchange exchange, long nanos) {
    if (isRecorded()) {
      HttpRequestEvent event = new HttpRequestEvent();
      event.fill(exchange, nanos);
      event.commit();
    }
  }

  private void fill(ServerExchange exchange, long nanos) {
    String text = exchange.request().target().toString();
    @Nullable HttpStatus known = exchange.status();
    method = exchange.request().method().name();
    target = text.length() > MAX_TARGET ? text.substring(0, MAX_TARGET) : text;
    peer = String.valueOf(exchange.connection().remoteAddress());
    status = known == null ? 0 : known.code();
    received = exchange.bytesReceived();
    sent = exchange.bytesSent();
    latency = nanos;
  }
}
