package dev.quickwater.web;

import dev.quickwater.http.HttpExchange;
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

/// The data of an exchange that an access log keeps until it writes the line: short texts instead
/// of the request head, which may be large.
record AccessEntry(
    String peer,
    String version,
    String method,
    String target,
    @Nullable String referer,
    @Nullable String agent,
    Instant begin,
    long beginNanos,
    long nanos,
    @Nullable Outcome outcome) {

  /// Maximum characters of a text from the peer; a longer text is truncated.
  private static final int MAX_TEXT = 1024;

  private static final DateTimeFormatter CLF =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);

  static AccessEntry begin(HttpExchange x) {
    RequestHead request = x.request();
    return new AccessEntry(
        text(x.connection().remoteAddress()),
        x.connection().version().toString(),
        String.valueOf(cut(request.method().name())),
        String.valueOf(cut(request.target().toString())),
        cut(request.headers().get("referer")),
        cut(request.headers().get("user-agent")),
        Instant.now(),
        System.nanoTime(),
        0,
        null);
  }

  private static @Nullable String cut(@Nullable String text) {
    return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
  }

  private static String text(@Nullable SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      return inet.getAddress().getHostAddress();
    }
    return address == null || address.toString().isEmpty() ? "-" : address.toString();
  }

  AccessEntry ended(Outcome end) {
    long taken = System.nanoTime() - beginNanos;
    return new AccessEntry(
        peer, version, method, target, referer, agent, begin, beginNanos, taken, end);
  }

  /// The line with its end.
  String line(AccessLog.Format format) {
    StringBuilder line = new StringBuilder(160);
    switch (format) {
      case COMMON -> common(line);
      case COMBINED -> {
        common(line);
        escape(line.append(" \""), referer == null ? "-" : referer);
        escape(line.append("\" \""), agent == null ? "-" : agent);
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
    escape(line.append("] \""), method + " " + target + " " + version);
    line.append("\" ").append(status());
    long sent = outcome == null ? 0 : outcome.bytesSent();
    line.append(' ').append(sent == 0 ? "-" : Long.toString(sent));
  }

  /// The status; 499, as in other servers, if the peer disconnected before a response.
  private int status() {
    @Nullable HttpStatus status = outcome == null ? null : outcome.status();
    return status == null ? 499 : status.code();
  }

  private void json(StringBuilder line) {
    text(line, "{\"time\":", begin.toString());
    text(line, ",\"peer\":", peer);
    text(line, ",\"method\":", method);
    text(line, ",\"target\":", target);
    text(line, ",\"version\":", version);
    line.append(",\"status\":").append(status());
    if (outcome != null) {
      line.append(",\"received\":").append(outcome.bytesReceived());
      line.append(",\"sent\":").append(outcome.bytesSent());
      text(line, ",\"outcome\":", outcome.kind().name().toLowerCase(Locale.ROOT));
    }
    line.append(",\"micros\":").append(nanos / 1000);
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
