package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// The state is how many bytes of the needle the input ends with.
final class KnuthMorrisPratt extends Needle {

  private final byte[] needle;

  /// How many bytes still match when the byte after so many does not; -1 if not even a new start
  /// can. The entry behind the last is for going on after a match.
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
      // A border that goes on with the byte that has just failed would fail at once.
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
    long first = ByteScan.pattern(needle[0]);
    int matched = (int) search.state;
    int index = from;
    for (; index <= to - Long.BYTES; index += Long.BYTES) {
      long word = Raw.getWord(array, address, index);
      if (matched == 0 && ByteScan.hits(word, first) == 0) {
        continue;
      }
      for (int i = 1; i <= Long.BYTES; i++, word >>>= 8) {
        matched = step(search, matched, (byte) word);
        if (matched == needle.length) {
          return matched(search, from, index + i);
        }
      }
    }
    while (index < to) {
      matched = step(search, matched, Raw.getByte(array, address, index++));
      if (matched == needle.length) {
        return matched(search, from, index);
      }
    }
    search.state = matched;
    search.work += to - from;
    return -1;
  }

  private int step(ByteSearch search, int from, byte value) {
    int matched = from;
    while (matched >= 0 && needle[matched] != value) {
      matched = fallback[matched];
      search.work++;
    }
    return matched + 1;
  }

  private int matched(ByteSearch search, int from, int end) {
    search.state = fallback[needle.length];
    search.work += end - from;
    return end;
  }
}
