package dev.quickwater.http2;

/// Counts events that are forgotten at a steady rate.
final class Bucket {

  private static final long SECOND = 1_000_000_000;

  private final BudgetSettings.Rate rate;
  private int count;

  /// The time up to which events were forgotten.
  private long time;

  Bucket(BudgetSettings.Rate rate) {
    this.rate = rate;
  }

  /// Counts an event.
  ///
  /// @param now the time in nanoseconds
  /// @return false if there are more than the rate allows
  boolean add(long now) {
    forget(now);
    if (count == rate.burst()) {
      return false;
    }
    count++;
    return true;
  }

  private void forget(long now) {
    long elapsed = now - time;
    if (count == 0 || elapsed / SECOND > count / rate.perSecond()) {
      count = 0;
      time = now;
      return;
    }
    // At most count seconds have passed, so the product does not overflow.
    int forgotten = (int) Math.min(count, elapsed * rate.perSecond() / SECOND);
    if (forgotten > 0) {
      count -= forgotten;
      time += forgotten * SECOND / rate.perSecond();
    }
  }

  /// Forgets events.
  void refill(int events) {
    count = Math.max(0, count - events);
  }

  /// Events that are not forgotten, at the time of the last one.
  int count() {
    return count;
  }

  int burst() {
    return rate.burst();
  }
}
