package dev.quickwater.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Writes lines of text by a thread of the log, for consumers that must not block, such as that of
/// a [dev.quickwater.http2.FrameTrace]. If the thread cannot keep up, lines are dropped and
/// counted. All methods may be called on any thread.
public final class LineLog implements Consumer<String>, AutoCloseable {

  /// The maximum number of lines that wait to be written.
  private static final int MAX_WAITING = 1 << 16;

  /// Ends the thread of the log.
  private enum End implements Supplier<String> {
    LAST;

    @Override
    public String get() {
      return "";
    }
  }

  private final Writer out;
  private final ArrayBlockingQueue<Supplier<String>> waiting =
      new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  private LineLog(Writer out) {
    this.out = out;
    this.thread = Thread.ofPlatform().daemon().name("line log").start(this::run);
  }

  /// A log that appends to a file, in UTF-8.
  ///
  /// @throws IOException if the file cannot be opened
  public static LineLog to(Path file) throws IOException {
    return to(
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /// A log that writes to `out`. Closing the log closes `out`.
  public static LineLog to(Writer out) {
    return new LineLog(out);
  }

  /// Lines that were dropped because the writer could not keep up, or has failed.
  public long dropped() {
    return dropped.get();
  }

  /// Adds a line, to which the log adds the line end.
  @Override
  public void accept(String line) {
    offer(() -> line + "\n");
  }

  /// Adds text, which the thread of the log makes.
  void offer(Supplier<String> text) {
    if (closed || !waiting.offer(text)) {
      dropped.incrementAndGet();
    }
  }

  private void run() {
    try {
      while (true) {
        Supplier<String> text = waiting.take();
        if (text == End.LAST) {
          return;
        }
        out.write(text.get());
        if (waiting.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException | RuntimeException e) {
      System.getLogger(LineLog.class.getName())
          .log(System.Logger.Level.ERROR, "a log of lines cannot be written, it ends", e);
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
      while (thread.isAlive() && !waiting.offer(End.LAST)) {
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
