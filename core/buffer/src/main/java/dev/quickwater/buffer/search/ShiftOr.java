package dev.quickwater.buffer.search;

import dev.quickwater.buffer.memory.Raw;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Searches for one needle of up to 64 bytes. Bit `i` of the state is 0 if the input ends with the
/// first `i + 1` bytes of the needle. A step is one shift and one OR, without a branch. Four steps
/// are combined before they are applied to the state, so the dependency chain for four bytes is as
/// long as for one.
final class ShiftOr extends Needle {

  static final int LONGEST = Long.SIZE;

  private static final long NOTHING_MATCHES = -1;

  /// Up to this length, three further bits show whether the needle ended at one of the three
  /// previous bytes. Four steps then need one comparison.
  private static final int LONGEST_BY_FOUR = LONGEST - 3;

  /// For each byte value, zeros at the places where the needle has it, and above the needle.
  private final long[] absent = new long[256];

  /// The bit of the needle's last byte.
  private final long last;

  /// The bit of the needle's last byte and the three bits above it.
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
    // Bits above the needle's end do not affect later matches.
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

  /// The combination of four steps, for a state that is shifted by four.
  private static long four(long[] table, int bytes) {
    return table[bytes & 0xff] << 3
        | table[bytes >>> 8 & 0xff] << 2
        | table[bytes >>> 16 & 0xff] << 1
        | table[bytes >>> 24];
  }
}
