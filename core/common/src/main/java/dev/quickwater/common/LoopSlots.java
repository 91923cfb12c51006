package dev.quickwater.common;

import java.util.BitSet;

/// Hands out small numbers to the loop threads that live, each to one thread at a time.
///
/// The lock orders what a thread did with its entries before what the next thread with the same
/// number does.
final class LoopSlots {

  /// How many loop threads have a number at once: two groups with two loops a processor, and 64
  /// even on the smallest machine. It is four bytes of each [LoopLocal].
  static final int COUNT = Math.max(64, 4 * Runtime.getRuntime().availableProcessors());

  /// The number of whoever has none: its entry is never set.
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

  /// Takes a number back whose entries are all empty.
  static void give(int slot) {
    synchronized (TAKEN) {
      TAKEN.clear(slot);
    }
  }
}
