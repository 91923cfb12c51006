package dev.quickwater.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The counts of the handles that hold a block, as elements of the `int` arrays of pages.
///
/// A count is `2 x holders`; an odd count means dead. [#release] tries `2 -> 1` and otherwise
/// subtracts 2. [#share] adds 2 and undoes the addition if the block was dead or the count too
/// high. After a subtraction that reached 0, and after any undo, `0 -> 1` is tried, and **only a
/// change to 1 frees**: a stray `share` that races the last release can neither revive the block
/// nor free it twice.
///
/// A count is reused for the next life of its memory. A life begins by a change from 1 to 2, not by
/// a store or an addition, because it may race the undo of a stray `share` or release: a store
/// would overwrite that undo, and an addition would be mixed with it. Handles are never reused, so
/// a stale handle can reach the next life of a block only from a thread that races the release.
final class Holders {

  /// The maximum number of holders of one block: far above any use, far below overflow.
  private static final int MAX_HOLDERS = 1 << 29;

  private static final int DEAD = 1;
  private static final int ONE = 2;

  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

  private Holders() {}

  /// The count of a block that has never had a handle.
  static int initial() {
    return DEAD;
  }

  /// Begins a life with one holder. The method first waits for the undo of a stray release or
  /// share: a life that begins before the undo would keep a wrong count.
  static void revive(int[] counts, int at) {
    while (!COUNT.compareAndSet(counts, at, DEAD, ONE)) {
      Thread.onSpinWait();
    }
  }

  /// The number of handles that hold the block; 0 if it is dead.
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
    // The read comes first, because a failed compare-and-set costs as much as a successful one.
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

  /// The outcome of a change of a count. After [#FREED] and [#REFUSED_AND_FREED] the caller returns
  /// the block to its heap.
  enum Change {
    DONE,
    /// The last holder was removed.
    FREED,
    /// No handle holds the block; the count is unchanged.
    REFUSED,
    /// No handle holds the block, and undoing the change was the last change to its count.
    REFUSED_AND_FREED,
    /// The block has [#MAX_HOLDERS] holders; the count is unchanged.
    TOO_MANY
  }
}
