package dev.quickwater.common;

import java.util.BitSet;

/// Assigns small numbers to running loop threads, each to one thread at a time.
///
/// The lock orders the use of entries by one thread before their use by the next thread with the
/// same number.
final class LoopSlots {

  /// The maximum number of loop threads with a number: two groups with two loops a processor, and
  /// at least 64. Each number takes four bytes of each [LoopLocal].
  static final int COUNT = Math.max(64, 4 * Runtime.getRuntime().availableProcessors());

  /// The number of threads without one: its entry is never set.
  static final int NONE = COUNT;

  private static final BitSet TAKEN = new BitSet(COUNT);

  private LoopSlots() {}

  /// The lowest number that is free, or [#NONE].
  static int take() {
    synchronized (TAKEN) {
      int slot = TAKEN.nextClearBit(0);
      if (slot >= COUNT) {
        return NONE;
      }
      TAKEN.set(slot);
      return slot;
    }
  }

  /// Returns a number whose entries are all empty.
  static void release(int slot) {
    synchronized (TAKEN) {
      TAKEN.clear(slot);
    }
  }
}
