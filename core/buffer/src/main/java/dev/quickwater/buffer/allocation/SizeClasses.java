package dev.quickwater.buffer.allocation;

/// Block sizes: 16, 32, 48 and 64 bytes, then four classes a doubling up to 128 KiB.
///
/// With four classes for each doubling, at most a fifth of a block is unused. Classes are computed,
/// not looked up in a table. Aligned allocation requires that the smallest class for a multiple of
/// 64 bytes is a multiple of 64 itself.
public final class SizeClasses {

  /// The largest block that shares a page with others. A larger block has a separate region, which
  /// wastes less than a unit. A class would waste up to a fifth.
  public static final int LARGEST_POOLED = 128 << 10;

  /// The maximum size of a block: 1 GiB.
  public static final int LARGEST = 1 << 30;

  /// Every class is a multiple of this.
  public static final int STEP = 16;

  /// Classes up to this size are one [#STEP] apart.
  private static final int EVEN = 64;

  private static final int EVEN_LOG = 6;
  private static final int EVEN_CLASSES = EVEN / STEP;

  /// The number of classes; they are numbered from 0 to `COUNT - 1`. 17 is the binary logarithm of
  /// [#LARGEST_POOLED], and 4 is the number of classes for each doubling. `of` and `capacity`
  /// depend on the same numbers.
  public static final int COUNT = EVEN_CLASSES + (17 - EVEN_LOG) * 4;

  /// The bytes of pages with blocks of 1 to 4 KiB. Such blocks are often released on another
  /// thread, which is cheaper with many blocks in a page.
  private static final int SMALL_PAGES = 64 << 10;

  private SizeClasses() {}

  /// The class of the smallest block that holds `capacity` bytes; [#COUNT] or more for a capacity
  /// over [#LARGEST_POOLED].
  public static int of(int capacity) {
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

  /// The length of a page of this class.
  ///
  /// - A page of small blocks holds many of them, so that a heap seldom takes a page.
  /// - A page of blocks over 4 KiB holds two to four of them, because each class in use keeps at
  ///   least one page.
  /// - At most an eighth of a page is left over when it is cut into blocks.
  public static int pageBytes(int sizeClass) {
    return pageBytes(sizeClass, PageSource.UNIT);
  }

  /// [#pageBytes(int)] for a unit other than [PageSource#UNIT].
  static int pageBytes(int sizeClass, int unit) {
    int size = capacity(sizeClass);
    int min =
        size <= 1 << 10
            ? 1
            : size <= 4 << 10 ? SMALL_PAGES : size <= 32 << 10 ? 4 * size : 2 * size;
    int bytes = (min + unit - 1) / unit * unit;
    while (bytes % size * 8 > bytes) {
      bytes += unit;
    }
    return bytes;
  }
}
