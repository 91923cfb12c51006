package dev.quickwater.http2;

/// A leaky bucket: counts events, and forgets them at a steady rate.
final class Bucket {

  private static final long SECOND = 1_000_000_000;

  private final BudgetSettings.Rate rate;
  private int count;

  /// The time up to which the rate was applied.
  private long time;

  Bucket(BudgetSettings.Rate rate) {
    this.rate = rate;
  }

  /// Counts an event.
  ///
  /// @param now the time in nanoseconds
  /// @return false if the bucket is full; the event is not counted then
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

  /// Forgets events in addition to the steady rate.
  void refill(int events) {
    count = Math.max(0, count - events);
  }

  /// The number of counted events, as of the last call of [#add].
  int count() {
    return count;
  }

  /// True if all events are forgotten.
  boolean isEmpty(long now) {
    forget(now);
    return count == 0;
  }

  int burst() {
    return rate.burst();
  }
}
