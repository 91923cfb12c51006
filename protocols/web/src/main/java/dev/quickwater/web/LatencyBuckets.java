package dev.quickwater.web;

/// The classes in which latencies are counted: 240 classes from 1 us to 71 minutes, each wider than
/// its lower bound by at most an eighth. The unit is 1,024 ns. Pure.
final class LatencyBuckets {

  static final int COUNT = 240;

  /// Classes for each doubling.
  private static final int STEPS = 8;

  private static final int STEPS_BITS = 3;
  private static final int UNIT_BITS = 10;

  private LatencyBuckets() {}

  /// The class of a latency; the last class includes all longer ones.
  static int of(long nanos) {
    long units = Math.max(nanos, 0) >>> UNIT_BITS;
    if (units < STEPS) {
      return (int) units;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(units);
    int step = (int) (units >>> (exponent - STEPS_BITS)) & STEPS - 1;
    return Math.min((exponent - STEPS_BITS + 1) * STEPS + step, COUNT - 1);
  }

  /// The end of a class, exclusive, in nanoseconds.
  static long end(int bucket) {
    if (bucket < STEPS) {
      return bucket + 1L << UNIT_BITS;
    }
    int exponent = bucket / STEPS + STEPS_BITS - 1;
    return (long) STEPS + bucket % STEPS + 1 << exponent - STEPS_BITS + UNIT_BITS;
  }
}
