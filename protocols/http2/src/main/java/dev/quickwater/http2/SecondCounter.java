package dev.quickwater.http2;

/// Estimates the number of events in the last second: the events of the current window of one
/// second, and the part of the previous window that is less than a second old, as if its events had
/// come evenly.
final class SecondCounter {

  private static final long SECOND = 1_000_000_000;

  private long start;
  private int current;
  private int previous;
  private boolean started;

  void add(long now) {
    advance(now);
    current++;
  }

  long count(long now) {
    advance(now);
    long rest = SECOND - (now - start);
    return current + previous * (rest / 1_000) / (SECOND / 1_000);
  }

  private void advance(long now) {
    long elapsed = now - start;
    if (!started || elapsed >= 2 * SECOND) {
      started = true;
      start = now;
      previous = 0;
      current = 0;
    } else if (elapsed >= SECOND) {
      start += SECOND;
      previous = current;
      current = 0;
    }
  }
}
