package dev.quickwater.http1;

import dev.quickwater.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// The Date field and the empty line after the head, made once a second.
///
/// Shared by all loops: an immutable pair of text and validity in one volatile field. The validity
/// is in nanoseconds of the asking loop's clock, so that a request costs no system call.
final class DateCache {

  private static final class Stamp {
    final long from;
    final byte[] line;

    Stamp(long from, byte[] line) {
      this.from = from;
      this.line = line;
    }

    boolean covers(long now) {
      long age = now - from;
      return age >= 0 && age < SECOND;
    }
  }

  private static final String NAME = "date: ";
  private static final byte[] LINE =
      (NAME + " ".repeat(HttpDate.LENGTH) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  private static final int DATE = NAME.length();
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static volatile Stamp stamp = new Stamp(Long.MIN_VALUE, new byte[0]);

  private DateCache() {}

  /// `date: ...` and two line ends, for a loop whose time is `now`. Callers only read it.
  static byte[] line(long now) {
    Stamp current = stamp;
    if (!current.covers(now)) {
      long millis = System.currentTimeMillis();
      byte[] line = LINE.clone();
      HttpDate.format(millis / 1000, line, DATE);
      // The text holds for the rest of the wall clock's second.
      current = new Stamp(now - TimeUnit.MILLISECONDS.toNanos(millis % 1000), line);
      stamp = current;
    }
    return current.line;
  }
}
