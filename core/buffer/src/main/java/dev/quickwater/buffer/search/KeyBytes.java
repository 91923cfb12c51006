package dev.quickwater.buffer.search;

import dev.quickwater.buffer.memory.ByteScan;
import dev.quickwater.buffer.memory.Raw;
import org.jspecify.annotations.Nullable;

/// The key of each needle: the byte that is likely to be the rarest, and its place in the needle.
///
/// A search in its initial state checks eight start positions at once: it reads the eight bytes at
/// its index plus the place of the key. If none of them is a key, no needle begins at these
/// positions, and the search skips them. Otherwise the search processes each byte.
///
/// A wrong guess costs less time than the search itself, and never misses a match.
final class KeyBytes {

  private static final int MAX_PAIRS = 3;

  /// The zero byte, the space and the letters of English, the most frequent first.
  private static final String FREQUENT = "\0 etaoinsrhldcumfpgwybvkxjqz";

  /// The keys, each repeated in all bytes of a word. Missing keys repeat the last one.
  private final long[] patterns = new long[MAX_PAIRS];

  private final int[] places = new int[MAX_PAIRS];

  /// The number of keys. Above [#MAX_PAIRS], all keys are in the table and have the same place.
  private final int count;

  /// 1 for a key, otherwise 0. Bytes can be joined without a branch.
  private final byte[] isKey = new byte[256];

  private final int farthest;

  KeyBytes(byte[][] needles) {
    int[] scores = scores(needles);
    this.count = needles.length;
    if (count > MAX_PAIRS) {
      this.farthest = bestPlace(needles, scores);
      for (byte[] needle : needles) {
        isKey[needle[farthest] & 0xff] = 1;
      }
      return;
    }
    int max = 0;
    for (int i = 0; i < MAX_PAIRS; i++) {
      byte[] needle = needles[Math.min(i, count - 1)];
      places[i] = rarest(needle, scores);
      patterns[i] = ByteScan.pattern(needle[places[i]]);
      max = Math.max(max, places[i]);
    }
    this.farthest = max;
  }

  /// The estimated frequency of each byte. Bytes that are frequent in the needles count as frequent
  /// in the text.
  private static int[] scores(byte[][] needles) {
    int[] scores = new int[256];
    for (int i = 0; i < FREQUENT.length(); i++) {
      scores[FREQUENT.charAt(i)] = FREQUENT.length() - i;
    }
    for (byte[] needle : needles) {
      for (byte value : needle) {
        scores[value & 0xff] += 4;
      }
    }
    return scores;
  }

  private static int rarest(byte[] needle, int[] scores) {
    int place = 0;
    for (int i = 1; i < needle.length; i++) {
      if (scores[needle[i] & 0xff] < scores[needle[place] & 0xff]) {
        place = i;
      }
    }
    return place;
  }

  /// Of the places that all needles have, the one whose bytes are rarest together.
  private static int bestPlace(byte[][] needles, int[] scores) {
    int shortest = Integer.MAX_VALUE;
    for (byte[] needle : needles) {
      shortest = Math.min(shortest, needle.length);
    }
    int best = 0;
    long least = Long.MAX_VALUE;
    for (int place = 0; place < shortest; place++) {
      boolean[] counted = new boolean[256];
      long sum = 0;
      for (byte[] needle : needles) {
        int value = needle[place] & 0xff;
        sum += counted[value] ? 0 : scores[value];
        counted[value] = true;
      }
      if (sum < least) {
        least = sum;
        best = place;
      }
    }
    return best;
  }

  /// Skips input for a search in its initial state. Returns an index of at most `to`; no needle
  /// begins before that index.
  int skip(byte @Nullable [] array, long address, int from, int to) {
    int last = to - Long.BYTES - farthest;
    return count == 1
        ? skipOne(array, address, from, last)
        : count <= MAX_PAIRS
            ? skipPairs(array, address, from, last)
            : skipByTable(array, address, from, last);
  }

  private int skipOne(byte @Nullable [] array, long address, int from, int last) {
    long pattern = patterns[0];
    int place = farthest;
    int index = from;
    for (; index <= last; index += Long.BYTES) {
      long hits = ByteScan.hits(Raw.getWord(array, address, index + place), pattern);
      if (hits != 0) {
        return index + ByteScan.first(hits);
      }
    }
    return index;
  }

  private int skipPairs(byte @Nullable [] array, long address, int from, int last) {
    long pattern0 = patterns[0];
    long pattern1 = patterns[1];
    long pattern2 = patterns[2];
    int place0 = places[0];
    int place1 = places[1];
    int place2 = places[2];
    int index = from;
    while (index <= last
        && (ByteScan.hits(Raw.getWord(array, address, index + place0), pattern0)
                | ByteScan.hits(Raw.getWord(array, address, index + place1), pattern1)
                | ByteScan.hits(Raw.getWord(array, address, index + place2), pattern2))
            == 0) {
      index += Long.BYTES;
    }
    return index;
  }

  private int skipByTable(byte @Nullable [] array, long address, int from, int last) {
    byte[] table = isKey;
    int place = farthest;
    int index = from;
    while (index <= last && !hasKey(table, Raw.getWord(array, address, index + place))) {
      index += Long.BYTES;
    }
    return index;
  }

  /// True if a byte of the word is a key. The eight lookups are independent of each other.
  private static boolean hasKey(byte[] table, long word) {
    int any =
        table[(int) word & 0xff]
            | table[(int) (word >>> 8) & 0xff]
            | table[(int) (word >>> 16) & 0xff]
            | table[(int) (word >>> 24) & 0xff]
            | table[(int) (word >>> 32) & 0xff]
            | table[(int) (word >>> 40) & 0xff]
            | table[(int) (word >>> 48) & 0xff]
            | table[(int) (word >>> 56)];
    return any != 0;
  }
}
