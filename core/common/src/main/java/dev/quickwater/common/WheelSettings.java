package dev.quickwater.common;

import java.time.Duration;

/// Settings of a [HashedWheelTimer].
///
/// @param tick the interval at which the wheel checks for due timers, at least 1 ms: its precision
/// @param slots the number of ticks of a revolution, a power of two from 16 to 65,536. A timer is
///   visited once a revolution until it is due, so more slots make very long delays cheaper; each
///   slot takes about 30 bytes.
/// @param maxPending the maximum number of timers that wait at a time; [HashedWheelTimer#schedule]
///   refuses further timers
public record WheelSettings(Duration tick, int slots, int maxPending) {

  private static final Duration MIN_TICK = Duration.ofMillis(1);
  private static final Duration MAX_TICK = Duration.ofHours(1);
  private static final int MIN_SLOTS = 16;
  private static final int MAX_SLOTS = 1 << 16;

  /// Ticks of 100 ms, a revolution in 205 s, 4 Mi timers.
  public static final WheelSettings DEFAULT =
      new WheelSettings(Duration.ofMillis(100), 2048, 4 << 20);

  /// Checks the values.
  public WheelSettings {
    if (tick.compareTo(MIN_TICK) < 0 || tick.compareTo(MAX_TICK) > 0) {
      throw new IllegalArgumentException(
          "tick is " + tick + ", expected " + MIN_TICK + " to " + MAX_TICK);
    }
    if (slots < MIN_SLOTS || slots > MAX_SLOTS || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException(
          "slots is " + slots + ", expected a power of two from " + MIN_SLOTS + " to " + MAX_SLOTS);
    }
    if (maxPending < 1) {
      throw new IllegalArgumentException("maxPending is " + maxPending + ", expected 1 or more");
    }
  }

  /// These settings with another tick.
  public WheelSettings withTick(Duration duration) {
    return new WheelSettings(duration, slots, maxPending);
  }

  /// These settings with another number of slots.
  public WheelSettings withSlots(int count) {
    return new WheelSettings(tick, count, maxPending);
  }

  /// These settings with another limit of waiting timers.
  public WheelSettings withMaxPending(int count) {
    return new WheelSettings(tick, slots, count);
  }
}
