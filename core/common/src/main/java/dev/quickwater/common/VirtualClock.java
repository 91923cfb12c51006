package dev.quickwater.common;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that is advanced by its user. Safe for use by any thread.
public final class VirtualClock implements Clock {

  private final AtomicLong now = new AtomicLong();

  /// Starts at zero.
  public VirtualClock() {}

  @Override
  public long nanoTime() {
    return now.get();
  }

  /// Moves the clock forward.
  ///
  /// @throws IllegalArgumentException if `step` is negative
  public void advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("a clock does not go back: " + step);
    }
    now.addAndGet(step.toNanos());
  }
}
