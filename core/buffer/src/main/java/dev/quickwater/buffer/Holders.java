package dev.quickwater.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The counts of the handles that hold a block, as elements of the `int` arrays of pages.
///
/// An even count is twice the number of holders. The count 1 means that the block is dead.
///
/// - **[#release]** changes 2 to 1 by compare-and-set. If the count is not 2, it subtracts 2.
/// - **[#share]** adds 2. If the block was dead or had too many holders, it subtracts 2 again.
/// - **Only the change to 1 frees a block.** A subtraction may leave 0 behind. The thread that sees
///   0 then tries to change 0 to 1, and only one thread succeeds. A stray `share` that races the
///   last release can therefore neither revive the block nor free it twice.
/// - **A stray call is undone.** A `share` or release of a dead block changes the count to another
///   odd number and then restores it.
/// - **[#revive] begins the next life** of the block by changing 1 to 2 by compare-and-set. A store
///   would overwrite the undo of a stray call, and the undo would then corrupt the new count. An
///   addition would start the life with the wrong count until the undo.
///
/// Handles are never reused. A stale handle reaches the next life of a block only on a thread that
/// races the release.
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
