package dev.quickwater.buffer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bit `i` of the state is 0 when the input ends with the first `i + 1` bytes of the needle: one
/// shift and one "or" a byte, without a branch. What four bytes add is joined before it meets the
/// state, so the chain of operations that wait for one another is as long as for one byte.
final class ShiftOr extends Needle {

  static final int LONGEST = Long.SIZE;

  private static final long NOTHING_MATCHES = -1;

  /// Up to this length, the three bits above the needle's tell whether it ended with one of the
  /// three bytes before the last, so that four steps need one comparison.
  private static final int LONGEST_BY_FOUR = LONGEST - 3;

  /// For each byte value, zeros where the needle has it and above the needle.
  private final long[] absent = new long[256];

  /// The bit of the needle's last byte.
  private final long last;

  /// That and the three above it.
  private final long lastFour;

  private final boolean byFour;

  ShiftOr(byte[] needle) {
    super(needle);
    if (needle.length > LONGEST) {
      throw new IllegalArgumentException(
          "the needle has " + needle.length + " bytes, shift-or takes at most " + LONGEST);
    }
    this.last = 1L << needle.length - 1;
    this.lastFour = last * 0xf;
    this.byFour = needle.length <= LONGEST_BY_FOUR;
    Arrays.fill(absent, last | last - 1);
    for (int i = 0; i < needle.length; i++) {
      absent[needle[i] & 0xff] &= ~(1L << i);
    }
  }

  @Override
  long start() {
    return NOTHING_MATCHES;
  }

  @Override
  int scan(ByteSearch search, byte @Nullable [] array, long address, int from, int to) {
    long[] table = absent;
    long goal = last;
    long goals = lastFour;
    // Bits behind the needle's end say nothing about what it may still become.
    long alive = goal | goal - 1;
    long state = search.state;
    int lastWord = to - Long.BYTES;
    int index = from;
    for (; index <= lastWord; index += Long.BYTES) {
      if ((state & alive) == alive) {
        state = NOTHING_MATCHES;
        index = keys.skip(array, address, index, to);
        if (index > lastWord) {
          break;
        }
      }
      long word = Raw.getWord(array, address, index);
      if (byFour) {
        long middle = state << 4 | four(table, (int) word);
        long after = middle << 4 | four(table, (int) (word >>> 32));
        if ((middle & after & goals) == goals) {
          state = after;
          continue;
        }
      }
      for (int i = 1; i <= Long.BYTES; i++, word >>>= 8) {
        state = state << 1 | table[(int) word & 0xff];
        if ((state & goal) == 0) {
          return matched(search, state, from, index + i);
        }
      }
    }
    while (index < to) {
      state = state << 1 | table[Raw.getByte(array, address, index++) & 0xff];
      if ((state & goal) == 0) {
        return matched(search, state, from, index);
      }
    }
    search.state = state;
    search.work += to - from;
    return -1;
  }

  private static int matched(ByteSearch search, long state, int from, int end) {
    search.state = state;
    search.work += end - from;
    return end;
  }

  /// What four steps add to the state, which is shifted by four.
  private static long four(long[] table, int bytes) {
    return table[bytes & 0xff] << 3
        | table[bytes >>> 8 & 0xff] << 2
        | table[bytes >>> 16 & 0xff] << 1
        | table[bytes >>> 24];
  }
}
