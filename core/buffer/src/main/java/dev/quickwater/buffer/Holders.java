package dev.quickwater.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The counts of the handles that hold a block, as elements of the `int` arrays of pages.
///
/// A count is `2 x holders`; odd means dead. [#release] tries `2 -> 1` and otherwise subtracts 2;
/// [#share] adds 2 and undoes that if the block was dead or the count too high. After a subtraction
/// that reached 0, and after any undo, `0 -> 1` is tried, and **only a change to 1 frees**: a stray
/// `share` that races the last release can neither revive the block nor free it twice.
///
/// A count is used again for the next life of its memory. A life begins by a change from 1 to 2 and
/// not by a store or an addition, because the undo of a stray `share` or release might fall into
/// it: a store would swallow that undo, an addition would be counted with it. Handles are never
/// used again, so a stale handle can reach the next life of a block only from a thread that races
/// the release.
final class Holders {

  /// Holders that one block may have: far above any use, far below overflow.
  private static final int MAX_HOLDERS = 1 << 29;

  private static final int DEAD = 1;
  private static final int ONE = 2;

  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

  private Holders() {}

  /// The count of a block that no handle has held yet.
  static int initial() {
    return DEAD;
  }

  /// Begins a life with one holder. A stray release or share that is not yet undone is waited for:
  /// a life that begins within it would be counted wrongly for ever.
  static void revive(int[] counts, int at) {
    while (!COUNT.compareAndSet(counts, at, DEAD, ONE)) {
      Thread.onSpinWait();
    }
  }

  /// How many handles hold the block, 0 if it is dead.
  static int of(int[] counts, int at) {
    int count = (int) COUNT.getVolatile(counts, at);
    return (count & DEAD) == 0 ? count >>> 1 : 0;
  }

  /// Adds a holder.
  static Change share(int[] counts, int at) {
    int before = (int) COUNT.getAndAdd(counts, at, ONE);
    if ((before & DEAD) == 0 && before > 0 && before < 2 * MAX_HOLDERS) {
      return Change.DONE;
    }
    COUNT.getAndAdd(counts, at, -ONE);
    if (COUNT.compareAndSet(counts, at, 0, DEAD)) {
      return Change.REFUSED_AND_FREED;
    }
    return (before & DEAD) != 0 || before == 0 ? Change.REFUSED : Change.TOO_MANY;
  }

  /// Removes a holder.
  static Change release(int[] counts, int at) {
    // Looked at first, because a change that fails costs as much as one that succeeds.
    if (counts[at] == ONE && COUNT.compareAndSet(counts, at, ONE, DEAD)) {
      return Change.FREED;
    }
    int before = (int) COUNT.getAndAdd(counts, at, -ONE);
    if ((before & DEAD) != 0 || before <= 0) {
      COUNT.getAndAdd(counts, at, ONE);
      return COUNT.compareAndSet(counts, at, 0, DEAD) ? Change.REFUSED_AND_FREED : Change.REFUSED;
    }
    return before == ONE && COUNT.compareAndSet(counts, at, 0, DEAD) ? Change.FREED : Change.DONE;
  }

  /// What a change of a count came to. After [#FREED] and [#REFUSED_AND_FREED] the caller returns
  /// the block to its heap.
  enum Change {
    DONE,
    /// The last holder has gone.
    FREED,
    /// No handle holds the block: the count is as before.
    REFUSED,
    /// No handle holds the block any more, and undoing the change was the last change to its count.
    REFUSED_AND_FREED,
    /// The block has [#MAX_HOLDERS] holders: the count is as before.
    TOO_MANY
  }
}
