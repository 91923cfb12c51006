package dev.quickwater.buffer.search;

import dev.quickwater.buffer.memory.Raw;
import org.jspecify.annotations.Nullable;

/// Searches for one needle. The state is the number of bytes of the needle that match the end of
/// the input.
final class KnuthMorrisPratt extends Needle {

  /// Steps between two checks for the initial state; most searches return to it within two.
  private static final int STEPS = 4;

  private final byte[] needle;

  /// By the number of matched bytes, the number that still match if the next byte differs; -1 if no
  /// new match can begin there. The last entry is for continuing after a match.
  private final int[] fallback;

  KnuthMorrisPratt(byte[] needle) {
    super(needle);
    this.needle = needle;
    this.fallback = fallbacks(needle);
  }

  private static int[] fallbacks(byte[] needle) {
    int[] table = new int[needle.length + 1];
    table[0] = -1;
    int border = 0;
    for (int i = 1; i < needle.length; i++) {
      // If the byte after the border equals the byte that has just failed, it would fail, too; its
      // own fallback is used instead.
      table[i] = needle[i] == needle[border] ? table[border] : border;
      while (border >= 0 && needle[i] != needle[border]) {
        border = table[border];
      }
      border++;
    }
    table[needle.length] = border;
    return table;
  }

  @Override
  long start() {
    return 0;
  }

  @Override
  int scan(ByteSearch search, byte @Nullable [] array, long address, int from, int to) {
    byte[] sought = needle;
    int[] back = fallback;
    int matched = (int) search.state;
    int stepsBack = 0;
    int index = from;
    while (index < to) {
      if (matched == 0) {
        index = keys.skip(array, address, index, to);
      }
      for (int stop = Math.min(STEPS, to - index) + index; index < stop; ) {
        byte value = Raw.getByte(array, address, index++);
        while (matched >= 0 && sought[matched] != value) {
          matched = back[matched];
          stepsBack++;
        }
        if (++matched == sought.length) {
          search.state = back[matched];
          search.work += index - from + stepsBack;
          return index;
        }
      }
    }
    search.state = matched;
    search.work += to - from + stepsBack;
    return -1;
  }
}
