package dev.quickwater.web;

import dev.quickwater.http.Filter;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Writes a line for each exchange when it ends.
///
/// A thread of the log formats and writes the lines. If it cannot keep up, lines are dropped and
/// counted; the event loops never wait. Text from the peer is escaped: it can end neither a line
/// nor a quoted field.
public final class AccessLog implements Filter, AutoCloseable {

  /// The maximum number of lines that wait to be written.
  private static final int MAX_WAITING = 1 << 16;

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
  private final Writer out;
  private final ArrayBlockingQueue<AccessEntry> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  private AccessLog(Format format, Writer out) {
    this.format = format;
    this.out = out;
    this.thread = Thread.ofPlatform().daemon().name("access log").start(this::run);
  }

  /// A log that appends to a file.
  ///
  /// @throws IOException if the file cannot be opened
  public static AccessLog to(Path file, Format format) throws IOException {
    return to(
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
        format);
  }

  /// A log that writes to `out`. Closing the log closes `out`.
  public static AccessLog to(Writer out, Format format) {
    return new AccessLog(format, out);
  }

  /// Lines that were dropped because the writer could not keep up, or has failed.
  public long dropped() {
    return dropped.get();
  }

  @Override
  public void handle(HttpExchange x, HttpHandler next) throws Exception {
    AccessEntry entry = AccessEntry.begin(x);
    x.onEnd(outcome -> {
      if (closed || !waiting.offer(entry.ended(outcome))) {
        dropped.incrementAndGet();
      }
    });
    next.handle(x);
  }

  private void run() {
    try {
      while (true) {
        AccessEntry entry = waiting.take();
        if (entry == AccessEntry.LAST) {
          return;
        }
        out.write(entry.line(format));
        if (waiting.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException | RuntimeException e) {
      System.getLogger(AccessLog.class.getName())
          .log(System.Logger.Level.ERROR, "the access log cannot be written, it ends", e);
      fail();
    } catch (InterruptedException _) {
      fail();
    }
  }

  private void fail() {
    closed = true;
    dropped.addAndGet(waiting.size());
    waiting.clear();
  }

  /// Writes the waiting lines and closes the log.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      while (thread.isAlive() && !waiting.offer(AccessEntry.LAST)) {
        Thread.onSpinWait();
      }
      thread.join();
      out.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
