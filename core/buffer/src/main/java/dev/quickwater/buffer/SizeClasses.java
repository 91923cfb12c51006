package dev.quickwater.buffer;

/// Block sizes: 16, 32, 48 and 64 bytes, then four classes a doubling up to 128 KiB.
///
/// Four classes a doubling bound the waste inside a block to a fifth of it. Computed, not tabled.
/// Every class from 64 bytes on that holds a multiple of 64 bytes exactly is itself a multiple of
/// 64, which is what aligned allocation rests on.
final class SizeClasses {

  /// The largest block that shares a page with others. A larger one has a region of its own, which
  /// wastes less than a unit, where a class would waste up to a fifth.
  static final int LARGEST_POOLED = 128 << 10;

  /// The largest block of all.
  static final int LARGEST = 1 << 30;

  /// Every class is a multiple of this.
  static final int STEP = 16;

  /// Up to here classes are one [#STEP] apart.
  private static final int EVEN = 64;

  private static final int EVEN_LOG = 6;
  private static final int EVEN_CLASSES = EVEN / STEP;

  /// How many classes there are: 0 to `COUNT - 1`.
  static final int COUNT = EVEN_CLASSES + (17 - EVEN_LOG) * 4;

  /// The bytes of pages with blocks of 1 to 4 KiB. Such blocks are often released on another
  /// thread, which is cheaper with many blocks in a page.
  private static final int SMALL_PAGES = 64 << 10;

  private SizeClasses() {}

  /// The class of the smallest block that holds `capacity` bytes; [#COUNT] or more for those over
  /// [#LARGEST_POOLED].
  static int of(int capacity) {
    if (capacity <= EVEN) {
      return (Math.max(capacity, 1) - 1) / STEP;
    }
    int log = log(capacity - 1);
    int quarter = (capacity - 1) >>> (log - 2) & 3;
    return (log - EVEN_LOG) * 4 + quarter + EVEN_CLASSES;
  }

  /// The binary logarithm, rounded down.
  static int log(int value) {
    return 31 - Integer.numberOfLeadingZeros(value);
  }

  /// The capacity of a class.
  static int capacity(int sizeClass) {
    if (sizeClass < EVEN_CLASSES) {
      return (sizeClass + 1) * STEP;
    }
    int doublings = sizeClass - EVEN_CLASSES >> 2;
    int quarters = (sizeClass - EVEN_CLASSES & 3) + 5;
    return quarters << 4 + doublings;
  }

  /// Bytes of a page of this class: several of the small blocks, for which taking a page must be
  /// rare, and few of the large, since every class in use keeps at least a page; and as many that
  /// at most an eighth is left over.
  static int pageBytes(int sizeClass) {
    return pageBytes(sizeClass, PageSource.UNIT);
  }

  /// [#pageBytes(int)] for a unit other than [PageSource#UNIT].
  static int pageBytes(int sizeClass, int unit) {
    int size = capacity(sizeClass);
    int least =
        size <= 1 << 10
            ? 1
            : size <= 4 << 10 ? SMALL_PAGES : size <= 32 << 10 ? 4 * size : 2 * size;
    int bytes = (least + unit - 1) / unit * unit;
    while (bytes % size * 8 > bytes) {
      bytes += unit;
    }
    return bytes;
  }
}
