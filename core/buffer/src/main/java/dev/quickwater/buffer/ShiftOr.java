package dev.quickwater.buffer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bit `i` of the state is 0 when the input ends with the first `i + 1` bytes of the needle: one
/// shift and one "or" a byte, without a branch.
final class ShiftOr extends Needle {

  static final int LONGEST = Long.SIZE;

  private static final long NOTHING_MATCHES = -1;

  /// For each byte value, zeros where the needle has it.
  private final long[] absent = new long[256];

  private final long first;
  private final long last;

  ShiftOr(byte[] needle) {
    super(needle);
    if (needle.length > LONGEST) {
      throw new IllegalArgumentException(
          "the needle has " + needle.length + " bytes, shift-or takes at most " + LONGEST);
    }
    Arrays.fill(absent, -1);
    for (int i = 0; i < needle.length; i++) {
      absent[needle[i] & 0xff] &= ~(1L << i);
    }
    this.first = ByteScan.pattern(needle[0]);
    this.last = 1L << needle.length - 1;
  }

  @Override
  long start() {
    return NOTHING_MATCHES;
  }

  @Override
  int scan(ByteSearch search, byte @Nullable [] array, long address, int from, int to) {
    long[] table = absent;
    long goal = last;
    // Bits behind the needle's end say nothing.
    long alive = goal | goal - 1;
    long state = search.state;
    int index = from;
    for (; index <= to - Long.BYTES; index += Long.BYTES) {
      long word = Raw.getWord(array, address, index);
      if ((state & alive) == alive && ByteScan.hits(word, first) == 0) {
        state = NOTHING_MATCHES;
        continue;
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
}
