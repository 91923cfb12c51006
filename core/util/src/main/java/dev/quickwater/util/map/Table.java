package dev.quickwater.util.map;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/// What tables of all key types share: their sizes, and when keys are rehashed.
final class Table {

  static final int LEAST = 8;
  static final int MOST = 1 << 30;

  /// Tables up to this size are kept when their entries are removed: they take 12 KiB or less, and
  /// a map that fills and empties repeatedly would allocate its table each time.
  static final int KEPT = 1024;

  /// A larger table is left for a smaller one when fewer than one in so many slots is in use.
  private static final int SPARSE = 32;

  /// An entry at most this far from its home counts as at home: it is in the same cache line or the
  /// next. In a half full table, keys without a pattern take 0.3 to 0.5 steps beyond this distance
  /// for each change. Removals count as changes, moved entries as steps.
  static final int NEAR = 3;

  /// Entries are kept in order only beyond this many steps from home. 97 of 100 insertions into a
  /// half full table end before. An absent key costs as many comparisons where all entries are at
  /// home.
  static final int LOOSE = 7;

  private static final int PATIENCE = 32;

  private Table() {}

  /// Slots for so many entries, at most half of them in use.
  static int slots(int entries) {
    if (entries < 0 || entries > MOST / 2) {
      throw new IllegalArgumentException(
          "a map for " + entries + " entries, expected 0 to " + MOST / 2);
    }
    return Math.max(LEAST, Integer.highestOneBit(Math.max(1, entries * 2 - 1)) << 1);
  }

  /// A multiplier that cannot be predicted. The thread's generator alone is not sufficient: two of
  /// its numbers determine all others.
  static long drawn() {
    return (ThreadLocalRandom.current().nextLong() ^ Secret.KEY) | 1;
  }

  /// Drawn when the first table needs it: few do.
  private static final class Secret {
    static final long KEY = new SecureRandom().nextLong();
  }

  /// The home of a key before it is reduced to the number of slots.
  static int mix(long key, long multiplier, int shift) {
    return multiplier == 0 ? (int) key : (int) (key * multiplier >>> shift);
  }

  static int shift(int slots) {
    return Long.numberOfLeadingZeros(slots) + 1;
  }

  /// The size below which a table of so many slots is left.
  static int sparse(int slots) {
    return slots <= KEPT ? 0 : slots / SPARSE;
  }

  /// The steps beyond one a change that a table tolerates. Together they cost as much as rehashing
  /// all keys.
  static long patience(int slots) {
    return PATIENCE + (slots >> 3);
  }

  /// The maximum number of steps of one key: several times the maximum that occurs with keys
  /// without a pattern.
  static int longest(int slots) {
    return PATIENCE + 8 * Integer.numberOfTrailingZeros(slots);
  }
}
