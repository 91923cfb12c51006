package dev.quickwater.web;

import dev.quickwater.http.Filter;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;

/// Writes a line for each exchange when it ends.
///
/// A dedicated thread formats and writes the lines. If it cannot keep up, lines are dropped and
/// counted; the event loops never wait. Text from the peer is escaped, so it can end neither a line
/// nor a quoted field.
public final class AccessLog implements Filter, AutoCloseable {

  /// The form of a line.
  public enum Format {
    /// The Common Log Format of the NCSA server.
    COMMON,
    /// The Common Log Format with Referer and User-Agent.
    COMBINED,
    /// One JSON object on each line.
    JSON
  }

  private final Format format;
  private final LineLog log;

  private AccessLog(Format format, LineLog log) {
    this.format = format;
    this.log = log;
  }

  /// A log that appends to a file.
  ///
  /// @throws IOException if the file cannot be opened
  public static AccessLog to(Path file, Format format) throws IOException {
    return new AccessLog(format, LineLog.to(file));
  }

  /// A log that writes to `out`. Closing the log closes `out`.
  public static AccessLog to(Writer out, Format format) {
    return new AccessLog(format, LineLog.to(out));
  }

  /// The number of lines that were dropped because the writer could not keep up or has failed.
  public long dropped() {
    return log.dropped();
  }

  @Override
  public void handle(HttpExchange x, HttpHandler next) throws Exception {
    AccessEntry entry = AccessEntry.begin(x);
    x.onEnd(outcome -> {
      AccessEntry ended = entry.ended(outcome);
      log.offer(() -> ended.line(format));
    });
    next.handle(x);
  }

  /// Writes the waiting lines and closes the log.
  @Override
  public void close() {
    log.close();
  }
}
