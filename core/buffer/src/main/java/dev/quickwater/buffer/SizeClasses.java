package dev.quickwater.buffer;

/// Block sizes: 64 bytes, then four classes a doubling up to 512 KiB; more is huge.
///
/// Four classes a doubling bound the waste inside a block to a fifth of it. Computed, not tabled.
final class SizeClasses {

  /// The class of blocks that have a mapping of their own.
  static final int HUGE = -1;

  static final int LARGEST = 512 << 10;

  private static final int SMALLEST_LOG = 6;
  static final int COUNT = (19 - SMALLEST_LOG) * 4 + 1;

  private SizeClasses() {}

  /// The class of the smallest block that holds `capacity` bytes.
  static int of(int capacity) {
    if (capacity <= 1 << SMALLEST_LOG) {
      return 0;
    }
    if (capacity > LARGEST) {
      return HUGE;
    }
    int log = 31 - Integer.numberOfLeadingZeros(capacity - 1);
    int quarter = (capacity - 1) >>> (log - 2) & 3;
    return (log - SMALLEST_LOG) * 4 + quarter + 1;
  }

  /// The capacity of a class.
  static int capacity(int sizeClass) {
    if (sizeClass == 0) {
      return 1 << SMALLEST_LOG;
    }
    int log = SMALLEST_LOG + (sizeClass - 1) / 4;
    int quarter = (sizeClass - 1) % 4 + 1;
    return (1 << log) + (quarter << (log - 2));
  }
}
