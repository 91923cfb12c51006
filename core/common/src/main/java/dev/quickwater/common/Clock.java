package dev.quickwater.common;

/// A monotonic source of nanoseconds. Only differences of values have a meaning.
///
/// Everything that waits (timers, deadlines, idle checks) reads the clock of its executor: a test
/// replaces waiting by [VirtualClock#advance].
@FunctionalInterface
public interface Clock {

  /// The current time in nanoseconds; never goes backwards as seen by one thread.
  long nanoTime();

  /// The clock of the system.
  static Clock system() {
    return System::nanoTime;
  }
}
