package dev.quickwater.buffer.memory;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.quickwater.system.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Searches a region for one byte value, eight bytes at a time.
///
/// Words are little-endian: the number of trailing zeros gives the place of a match. **Ranges are
/// not checked**, see [Raw].
public final class ByteScan {

  static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  /// Multiplying by this constant gathers the lowest bits of the eight bytes of a word in the
  /// highest byte: it moves the bit of byte `k` by `56 - 7 * k` places, so no two bits collide.
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private static final int BLOCK = 4 * Long.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
  private static final ValueLayout.OfLong NATIVE_WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final MemorySegment ALL = Memory.all();

  private ByteScan() {}

  /// The word that has `value` in each byte.
  public static long pattern(byte value) {
    return (value & 0xff) * LOW_BITS;
  }

  /// Not 0 if a byte of the word equals the byte of the pattern. The lowest bit that is set belongs
  /// to the first such byte. Subtracting 1 borrows through a byte that is 0, so only bits above a
  /// true hit can be false ("Bit Twiddling Hacks", Determine if a word has a zero byte).
  public static long hits(long word, long pattern) {
    return marks(word, pattern) & HIGH_BITS;
  }

  /// [#hits] before the meaningless lower bits of each byte are cleared. Callers join several
  /// results and then clear once.
  private static long marks(long word, long pattern) {
    long difference = word ^ pattern;
    return difference - LOW_BITS & ~difference;
  }

  /// One bit for each of up to 64 bytes, set when the byte equals that of the pattern; bit 0 is the
  /// first byte. All bits are exact, unlike those of [#hits].
  public static long mask(byte @Nullable [] array, long address, int length, long pattern) {
    if (length == Long.SIZE) {
      return array != null
          ? maskOfArray(array, (int) address, pattern)
          : maskOfMemory(address, pattern);
    }
    long mask = 0;
    int index = 0;
    for (; index <= length - Long.BYTES; index += Long.BYTES) {
      mask |= eightBits(Raw.getWord(array, address, index), pattern) << index;
    }
    for (; index < length; index++) {
      mask |= Raw.getByte(array, address, index) == (byte) pattern ? 1L << index : 0;
    }
    return mask;
  }

  /// In texts with long lines, most blocks have no match. The first loop detects these with half of
  /// the work.
  private static long maskOfArray(byte[] array, int offset, long pattern) {
    long marks = 0;
    for (int index = 0; index < Long.SIZE; index += Long.BYTES) {
      marks |= marks((long) WORD.get(array, offset + index), pattern);
    }
    long mask = 0;
    if ((marks & HIGH_BITS) != 0) {
      for (int index = 0; index < Long.SIZE; index += Long.BYTES) {
        mask |= eightBits((long) WORD.get(array, offset + index), pattern) << index;
      }
    }
    return mask;
  }

  private static long maskOfMemory(long address, long pattern) {
    long start = address & Memory.ADDRESS_MASK;
    long marks = 0;
    for (int index = 0; index < Long.SIZE; index += Long.BYTES) {
      marks |= marks(ALL.get(NATIVE_WORD, start + index), pattern);
    }
    long mask = 0;
    if ((marks & HIGH_BITS) != 0) {
      for (int index = 0; index < Long.SIZE; index += Long.BYTES) {
        mask |= eightBits(ALL.get(NATIVE_WORD, start + index), pattern) << index;
      }
    }
    return mask;
  }

  /// Eight bits, one for each byte of the word, set when the byte equals that of the pattern.
  private static long eightBits(long word, long pattern) {
    long difference = word ^ pattern;
    long zero = ~((difference & ~HIGH_BITS) + ~HIGH_BITS | difference) & HIGH_BITS;
    return (zero >>> 7) * GATHER >>> 56;
  }

  /// Which byte of a word [#hits] has found first, 0 to 7.
  public static int first(long hits) {
    return Long.numberOfTrailingZeros(hits) >>> 3;
  }

  /// The first index in `[from, to)` that has `value`, or -1. Bytes up to `limit` exist and may be
  /// read as well.
  ///
  /// The end of a line or token cannot be predicted. The first words, and each block, therefore
  /// have one branch for all of their words: further branches would be mispredicted about every
  /// other time, which costs more than reading all words.
  public static int indexOf(
      byte @Nullable [] array, long address, int limit, int from, int to, byte value) {
    long pattern = pattern(value);
    if (limit - from < 2 * Long.BYTES) {
      return inShort(array, address, limit, from, to, pattern);
    }
    long hits0 = hits(Raw.getWord(array, address, from), pattern);
    long hits1 = hits(Raw.getWord(array, address, from + 8), pattern);
    if ((hits0 | hits1) != 0) {
      int index = from + (bits(hits0, hits1) >>> 3);
      return index < to ? index : -1;
    }
    return inBlocks(array, address, limit, from + 2 * Long.BYTES, to, pattern);
  }

  private static int inShort(
      byte @Nullable [] array, long address, int limit, int from, int to, long pattern) {
    return limit - from < Long.BYTES
        ? byBytes(array, address, from, to, (byte) pattern)
        : inWords(array, address, limit, from, to, pattern);
  }

  /// Searches word by word. The last word may overlap bytes that were searched before and do not
  /// match.
  private static int inWords(
      byte @Nullable [] array, long address, int limit, int from, int to, long pattern) {
    int last = limit - Long.BYTES;
    for (int index = from; index < to; ) {
      int at = Math.min(index, last);
      long hits = hits(Raw.getWord(array, address, at), pattern);
      if (hits != 0) {
        int found = at + first(hits);
        return found < to ? found : -1;
      }
      index = at + Long.BYTES;
    }
    return -1;
  }

  private static int inBlocks(
      byte @Nullable [] array, long address, int limit, int from, int to, long pattern) {
    // The end of the indices at which a block within the limit may begin.
    int end = Math.min(limit - BLOCK + 1, to);
    int index =
        array != null
            ? blocksOfArray(array, (int) address, from, end, pattern)
            : blocksOfMemory(address, from, end, pattern);
    if (index < 0) {
      int found = ~index;
      return found < to ? found : -1;
    }
    return inWords(array, address, limit, index, to, pattern);
  }

  /// Searches the blocks that begin before `end`.
  ///
  /// @return the complement of the index of the byte, or the index behind the last block
  private static int blocksOfArray(byte[] array, int offset, int from, int end, long pattern) {
    int index = from;
    for (; index < end; index += BLOCK) {
      int at = offset + index;
      long marks0 = marks((long) WORD.get(array, at), pattern);
      long marks1 = marks((long) WORD.get(array, at + 8), pattern);
      long marks2 = marks((long) WORD.get(array, at + 16), pattern);
      long marks3 = marks((long) WORD.get(array, at + 24), pattern);
      if (((marks0 | marks1 | marks2 | marks3) & HIGH_BITS) != 0) {
        return ~(index + place(marks0, marks1, marks2, marks3));
      }
    }
    return index;
  }

  /// Like [#blocksOfArray]. The cursor is masked in each iteration. No access then needs a check,
  /// and the compiler does not split this short loop into three.
  private static int blocksOfMemory(long address, int from, int end, long pattern) {
    long start = address & Memory.ADDRESS_MASK;
    long behind = start + end;
    long at = start + from;
    while (at < behind) {
      at &= Memory.ADDRESS_MASK;
      long marks0 = marks(ALL.get(NATIVE_WORD, at), pattern);
      long marks1 = marks(ALL.get(NATIVE_WORD, at + 8), pattern);
      long marks2 = marks(ALL.get(NATIVE_WORD, at + 16), pattern);
      long marks3 = marks(ALL.get(NATIVE_WORD, at + 24), pattern);
      if (((marks0 | marks1 | marks2 | marks3) & HIGH_BITS) != 0) {
        return ~((int) (at - start) + place(marks0, marks1, marks2, marks3));
      }
      at += BLOCK;
    }
    return (int) (at - start);
  }

  /// Which byte of a block is marked first, 0 to 31.
  private static int place(long marks0, long marks1, long marks2, long marks3) {
    int low = bits(marks0 & HIGH_BITS, marks1 & HIGH_BITS);
    int high = bits(marks2 & HIGH_BITS, marks3 & HIGH_BITS);
    return low + (high & -(low >>> 7)) >>> 3;
  }

  /// The number of trailing zeros of two words, taken as one number of 128 bits.
  private static int bits(long low, long high) {
    int zeros = Long.numberOfTrailingZeros(low);
    return zeros + (Long.numberOfTrailingZeros(high) & -(zeros >>> 6));
  }

  private static int byBytes(byte @Nullable [] array, long address, int from, int to, byte value) {
    for (int index = from; index < to; index++) {
      if (Raw.getByte(array, address, index) == value) {
        return index;
      }
    }
    return -1;
  }
}
