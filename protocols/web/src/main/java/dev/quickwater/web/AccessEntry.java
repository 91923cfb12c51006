package dev.quickwater.web;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What an access log notes of an exchange.
record AccessEntry(
    String peer,
    String version,
    RequestHead request,
    Instant begin,
    long beginNanos,
    long nanos,
    @Nullable Outcome outcome) {

  private static final DateTimeFormatter CLF =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);

  /// Ends the queue of a log.
  static final AccessEntry LAST =
      new AccessEntry("", "", RequestHead.get("/"), Instant.EPOCH, 0, 0, null);

  static AccessEntry begin(HttpExchange x) {
    return new AccessEntry(
        text(x.connection().remoteAddress()),
        x.connection().version().toString(),
        x.request(),
        Instant.now(),
        System.nanoTime(),
        0,
        null);
  }

  private static String text(@Nullable SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      return inet.getAddress().getHostAddress();
    }
    return address == null || address.toString().isEmpty() ? "-" : address.toString();
  }

  AccessEntry ended(Outcome end) {
    return new AccessEntry(
        peer, version, request, begin, beginNanos, System.nanoTime() - beginNanos, end);
  }

  /// The line with its end.
  String line(AccessLog.Format format) {
    StringBuilder line = new StringBuilder(160);
    switch (format) {
      case COMMON -> common(line);
      case COMBINED -> {
        common(line);
        field(line.append(" \""), "referer");
        field(line.append("\" \""), "user-agent");
        line.append('"');
      }
      case JSON -> json(line);
    }
    return line.append('\n').toString();
  }

  private void common(StringBuilder line) {
    escape(line, peer);
    line.append(" - - [");
    CLF.formatTo(ZonedDateTime.ofInstant(begin, ZoneId.systemDefault()), line);
    escape(line.append("] \""), request + " " + version);
    line.append("\" ").append(status());
    long sent = outcome == null ? 0 : outcome.bytesSent();
    line.append(' ').append(sent == 0 ? "-" : Long.toString(sent));
  }

  /// The status; 499, as others have it, for an exchange whose peer left before a response.
  private int status() {
    @Nullable HttpStatus status = outcome == null ? null : outcome.status();
    return status == null ? 499 : status.code();
  }

  private void field(StringBuilder line, String name) {
    @Nullable String value = request.headers().get(name);
    escape(line, value == null ? "-" : value);
  }

  private void json(StringBuilder line) {
    HttpHeaders headers = request.headers();
    text(line, "{\"time\":", begin.toString());
    text(line, ",\"peer\":", peer);
    text(line, ",\"method\":", request.method().name());
    text(line, ",\"target\":", request.target().toString());
    text(line, ",\"version\":", version);
    line.append(",\"status\":").append(status());
    if (outcome != null) {
      line.append(",\"received\":").append(outcome.bytesReceived());
      line.append(",\"sent\":").append(outcome.bytesSent());
      text(line, ",\"outcome\":", outcome.kind().name().toLowerCase(Locale.ROOT));
    }
    line.append(",\"micros\":").append(nanos / 1000);
    @Nullable String agent = headers.get("user-agent");
    if (agent != null) {
      text(line, ",\"agent\":", agent);
    }
    line.append('}');
  }

  private static void text(StringBuilder line, String name, String value) {
    line.append(name).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c < 0x20 || c >= 0x7f) {
        line.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    line.append('"');
  }

  private static void escape(StringBuilder line, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c < 0x20 || c >= 0x7f) {
        line.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
      } else {
        line.append(c);
      }
    }
  }
}
