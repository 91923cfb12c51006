package dev.quickwater.common;

/// Decides which handles are tracked.
///
/// - A running number is spread by Fibonacci hashing, and the handle is tracked when the highest
///   bits of the product are all zero. Tracking every 128th handle directly would miss a leak whose
///   handles always have odd numbers.
/// - A caller with a cheap counter supplies the number, as a heap does with the count of its
///   allocations. Handles that any thread creates use the counters of this class, one for each
///   group of threads, by thread id.
/// - The counters are plain fields that several threads may change at the same time, by design. A
///   lost increment repeats a number. This changes the rate by at most the number of threads that
///   race on a counter, and only briefly. An atomic increment costs more than creating a slice.
/// - Counters are 128 bytes apart, because processors fetch cache lines in pairs.
final class LeakSampling {

  /// One handle in this many is tracked; 0 when none is. Tracking costs about 800 ns, so one in
  /// 1,024 adds less than 1 ns to an allocation.
  static final int INTERVAL =
      switch (LeakTracker.LEVEL) {
        case DISABLED -> 0;
        case SIMPLE -> 1024;
        case ADVANCED -> 128;
        case PARANOID -> 1;
      };

  private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(INTERVAL);
  private static final int GOLDEN_RATIO = 0x9E37_79B9;

  private static final int COUNTERS = 64;
  private static final int SPACING = 128 / Integer.BYTES;

  /// One spacing of padding at both ends of the array separates the counters from the array header
  /// and from the next object.
  private static final int[] COUNTS = new int[(COUNTERS + 2) * SPACING];

  private LeakSampling() {}

  static boolean draws(int number) {
    return INTERVAL == 1 || (INTERVAL != 0 && number * GOLDEN_RATIO >>> SHIFT == 0);
  }

  static boolean draws() {
    return INTERVAL == 1 || (INTERVAL != 0 && draws(next()));
  }

  private static int next() {
    int counter = (int) Thread.currentThread().threadId() & COUNTERS - 1;
    return COUNTS[(counter + 1) * SPACING]++;
  }
}
