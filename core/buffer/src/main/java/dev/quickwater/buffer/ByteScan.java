package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// Looks for one byte in a region, eight at a time.
///
/// Words are read with the first byte lowest, so that a hit's place is the number of trailing zeros
/// and nothing is looked at twice. **Ranges are not checked**, see [Raw].
final class ByteScan {

  static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private static final int BLOCK = 4 * Long.BYTES;

  private ByteScan() {}

  /// The word that has `value` in each byte.
  static long pattern(byte value) {
    return (value & 0xff) * LOW_BITS;
  }

  /// Not 0 if a byte of the word equals the pattern's; the lowest bit set belongs to the first such
  /// byte. Subtracting 1 borrows through a byte that is 0, so only bits above a true hit can be
  /// false ("Bit Twiddling Hacks", Determine if a word has a zero byte).
  static long hits(long word, long pattern) {
    long difference = word ^ pattern;
    return difference - LOW_BITS & ~difference & HIGH_BITS;
  }

  /// Which byte of a word [#hits] has found first, 0 to 7.
  static int first(long hits) {
    return Long.numberOfTrailingZeros(hits) >>> 3;
  }

  /// The first index in `[from, to)` that has `value`, or -1. Bytes up to `limit` exist and may be
  /// read along.
  static int indexOf(
      byte @Nullable [] array, long address, int limit, int from, int to, byte value) {
    long pattern = pattern(value);
    if (limit - from < Long.BYTES) {
      return indexOfByBytes(array, address, from, to, value);
    }
    // Lines and tokens are short: most searches end in this word.
    long hits = hits(Raw.getWord(array, address, from), pattern);
    if (hits != 0) {
      int index = from + first(hits);
      return index < to ? index : -1;
    }
    int last = to - Long.BYTES;
    int index = from + Long.BYTES;
    index = passOver(array, address, index, to, pattern);
    for (; index <= last; index += Long.BYTES) {
      hits = hits(Raw.getWord(array, address, index), pattern);
      if (hits != 0) {
        return index + first(hits);
      }
    }
    if (index < to) {
      // The last word overlaps bytes that are known to differ.
      hits = hits(Raw.getWord(array, address, last), pattern);
      if (hits != 0) {
        return last + first(hits);
      }
    }
    return -1;
  }

  /// Passes over blocks of four words without a hit, with one branch for each block.
  private static int passOver(
      byte @Nullable [] array, long address, int from, int to, long pattern) {
    int index = from;
    for (; index <= to - BLOCK; index += BLOCK) {
      long hits =
          hits(Raw.getWord(array, address, index), pattern)
              | hits(Raw.getWord(array, address, index + 8), pattern)
              | hits(Raw.getWord(array, address, index + 16), pattern)
              | hits(Raw.getWord(array, address, index + 24), pattern);
      if (hits != 0) {
        break;
      }
    }
    return index;
  }

  private static int indexOfByBytes(
      byte @Nullable [] array, long address, int from, int to, byte value) {
    for (int index = from; index < to; index++) {
      if (Raw.getByte(array, address, index) == value) {
        return index;
      }
    }
    return -1;
  }
}
