package dev.quickwater.common.map;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/// What tables of all key types have in common: their sizes, and when keys are spread anew.
final class Table {

  static final int LEAST = 8;
  static final int MOST = 1 << 30;

  /// Tables up to this size are kept when their entries go: they take 12 KiB or less, and maps that
  /// fill and empty all the time would be made anew all the time.
  static final int KEPT = 1024;

  /// A larger table is left for a smaller one when fewer than one in so many slots is in use.
  private static final int SPARSE = 32;

  /// An entry that is no further from its home than this is as good as at home: it is in the same
  /// cache line or the next. In a table that is half full, keys without any pattern take 0.3 to 0.5
  /// steps a change in steps longer than this, removals counted as changes and moved entries as
  /// steps.
  static final int NEAR = 3;

  /// Only beyond so many steps from home are entries kept in order. All but three of a hundred
  /// insertions into a half full table end before, and a key that is not there costs so many looks
  /// where all entries are at home.
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

  /// A multiplier that nobody can foresee. The thread's generator alone would not do: whoever is
  /// shown two of its numbers knows all others.
  static long drawn() {
    return (ThreadLocalRandom.current().nextLong() ^ Secret.KEY) | 1;
  }

  /// Drawn when the first table needs it: few do.
  private static final class Secret {
    static final long KEY = new SecureRandom().nextLong();
  }

  static int shift(int slots) {
    return Long.numberOfLeadingZeros(slots) + 1;
  }

  /// The size below which a table of so many slots is left.
  static int sparse(int slots) {
    return slots <= KEPT ? 0 : slots / SPARSE;
  }

  /// The steps beyond one a change that a table puts up with: so many that they cost as much as
  /// spreading the keys anew.
  static long patience(int slots) {
    return PATIENCE + (slots >> 3);
  }

  /// The most steps that one key may take: several times what the unluckiest of keys without any
  /// pattern takes.
  static int longest(int slots) {
    return PATIENCE + 8 * Integer.numberOfTrailingZeros(slots);
  }
}
