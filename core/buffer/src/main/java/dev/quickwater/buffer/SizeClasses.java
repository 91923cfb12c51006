package dev.quickwater.buffer;

/// Block sizes: 64 bytes, then four classes a doubling up to 1 GiB.
///
/// Four classes a doubling bound the waste inside a block to a fifth of it. Computed, not tabled.
/// Blocks up to [#LARGEST_POOLED] are carved from slabs; a larger one has a mapping or an array of
/// its own.
final class SizeClasses {

  /// The largest block that is carved from a slab.
  static final int LARGEST_POOLED = 512 << 10;

  /// The largest block of all.
  static final int LARGEST = 1 << 30;

  private static final int SMALLEST_LOG = 6;

  /// Classes that are carved from slabs: 0 to `POOLED - 1`.
  static final int POOLED = (19 - SMALLEST_LOG) * 4 + 1;

  static final int COUNT = (30 - SMALLEST_LOG) * 4 + 1;

  private SizeClasses() {}

  /// The class of the smallest block that holds `capacity` bytes, which is 0 to [#LARGEST].
  static int of(int capacity) {
    if (capacity <= 1 << SMALLEST_LOG) {
      return 0;
    }
    int log = 31 - Integer.numberOfLeadingZeros(capacity - 1);
    int quarter = (capacity - 1) >>> (log - 2) & 3;
    return (log - SMALLEST_LOG) * 4 + quarter + 1;
  }

  /// The capacity of a class.
  static int capacity(int sizeClass) {
    int doublings = (sizeClass - 1) >> 2;
    int quarters = ((sizeClass - 1) & 3) + 5;
    return sizeClass == 0 ? 1 << SMALLEST_LOG : quarters << (SMALLEST_LOG - 2 + doublings);
  }
}
