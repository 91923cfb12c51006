package dev.quickwater.common;

/// A monotonic source of nanoseconds. Values have no meaning but their differences.
///
/// Everything that waits (timers, deadlines, idle checks) asks the clock of its executor, so that a
/// test replaces waiting by [VirtualClock#advance].
@FunctionalInterface
public interface Clock {

  /// The current time in nanoseconds; never goes backwards as seen by one thread.
  long nanoTime();

  /// The clock of the system.
  static Clock system() {
    return System::nanoTime;
  }
}
