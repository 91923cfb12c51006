package dev.quickwater.common;

import java.time.Duration;

/// How a [HashedWheelTimer] turns.
///
/// @param tick how often it looks for timers that are due, at least 1 ms: its precision
/// @param slots how many ticks a revolution has, a power of two from 16 to 65,536. A timer is
///   looked at once a revolution until its time, so that a longer one makes very long delays
///   cheaper; each slot takes some 30 bytes.
/// @param mostPending how many timers may wait at a time; one more is refused
public record WheelSettings(Duration tick, int slots, int mostPending) {

  private static final Duration LEAST_TICK = Duration.ofMillis(1);
  private static final Duration MOST_TICK = Duration.ofHours(1);
  private static final int LEAST_SLOTS = 16;
  private static final int MOST_SLOTS = 1 << 16;

  /// 100 ms, a revolution in 205 s, 4 Mi timers.
  public static final WheelSettings DEFAULT =
      new WheelSettings(Duration.ofMillis(100), 2048, 4 << 20);

  /// Checks the values.
  public WheelSettings {
    if (tick.compareTo(LEAST_TICK) < 0 || tick.compareTo(MOST_TICK) > 0) {
      throw new IllegalArgumentException(
          "tick is " + tick + ", expected " + LEAST_TICK + " to " + MOST_TICK);
    }
    if (slots < LEAST_SLOTS || slots > MOST_SLOTS || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException(
          "slots is "
              + slots
              + ", expected a power of two from "
              + LEAST_SLOTS
              + " to "
              + MOST_SLOTS);
    }
    if (mostPending < 1) {
      throw new IllegalArgumentException("mostPending is " + mostPending + ", expected 1 or more");
    }
  }

  /// These settings with another tick.
  public WheelSettings withTick(Duration duration) {
    return new WheelSettings(duration, slots, mostPending);
  }

  /// These settings with another number of slots.
  public WheelSettings withSlots(int count) {
    return new WheelSettings(tick, count, mostPending);
  }

  /// These settings with another limit of waiting timers.
  public WheelSettings withMostPending(int count) {
    return new WheelSettings(tick, slots, count);
  }
}
