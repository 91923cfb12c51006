package dev.quickwater.cli;

import java.io.Console;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A line on the terminal that shows the progress of a download: a bar, bytes, share and rate. It
/// is written to the standard error stream at most ten times a second.
final class Progress {

  private static final long INTERVAL = 100_000_000;

  private static final int BAR = 24;

  private final long kept;
  private final long total;
  private final long began = System.nanoTime();
  private long shown = began - INTERVAL;
  private long bytes;

  /// For `total` bytes, -1 if unknown. `kept` bytes are present already.
  Progress(long kept, long total) {
    this.kept = kept;
    this.total = total;
  }

  /// A progress line, or null if there is no terminal.
  @SuppressWarnings("SystemConsoleNull") // the specification still allows null
  static @Nullable Progress onTerminal(long kept, long total) {
    @Nullable Console console = System.console();
    return console != null && console.isTerminal() ? new Progress(kept, total) : null;
  }

  void add(int count) {
    bytes += count;
    long now = System.nanoTime();
    if (now - shown >= INTERVAL) {
      shown = now;
      System.err.print("\r" + line(kept, bytes, total, now - began));
    }
  }

  void end() {
    System.err.println("\r" + line(kept, bytes, total, System.nanoTime() - began));
  }

  /// The line at `nanos` since the start, padded with spaces that cover a longer previous line.
  static String line(long kept, long bytes, long total, long nanos) {
    StringBuilder line = new StringBuilder();
    long there = kept + bytes;
    if (total > 0) {
      int filled = (int) Math.min(BAR, there * BAR / total);
      line.append('[').append("=".repeat(filled)).append(" ".repeat(BAR - filled)).append("] ");
      line.append(there * 100 / total).append(" %, ").append(size(there));
      line.append(" of ").append(size(total));
    } else {
      line.append(size(there));
    }
    double seconds = Math.max(nanos, 1) / 1e9;
    line.append(", ").append(size((long) (bytes / seconds))).append("/s");
    return String.format(Locale.ROOT, "%-76s", line);
  }

  private static String size(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    do {
      value /= 1000;
      unit++;
    } while (value >= 999.95 && unit < 3);
    return String.format(Locale.ROOT, "%.1f %cB", value, "kMGT".charAt(unit));
  }
}
