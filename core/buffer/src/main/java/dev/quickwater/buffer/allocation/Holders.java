package dev.quickwater.buffer.allocation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The counts of the handles that hold a block, as elements of the `int` arrays of pages. A count
/// above 0 is the number of holders; every count below 0 means that the block is dead. No count is
/// 0.
///
/// - **[#share]** adds 1. If the block was dead, the share is refused and the 1 is not subtracted:
///   the count stays below 0, so the block stays dead. If the block had [#MAX_HOLDERS] holders, the
///   share is refused and the 1 is removed by a release.
/// - **[#release]** reads the count and changes it by compare-and-set: from 1 to [#DEAD], otherwise
///   to one less. The change to [#DEAD] frees the block, so one thread alone frees it in each life.
///   If the block is dead, nothing changes.
/// - **[#revive] begins the next life** of the block with a plain store of 1. Nothing that another
///   thread has done to the count of a dead block matters after that.
/// - **A stray call** is a call by a thread that uses a handle while another thread releases that
///   handle. If the block is dead, the call is refused and has no later effect. If the next life of
///   the block has begun, a stray share holds that life until the matching release, and a stray
///   release counts as the release of a holder. Handles are never reused, so a stray release occurs
///   only if two threads release one handle at once.
///
/// **A refused call on a dead block is never undone,** because undoing its addition is not safe.
/// Example: a stray share and a stray release of a dead block cancel each other, the next life
/// begins, and then undoing the share removes the only holder of that life. `HoldersStepsTest`
/// tries every order of the steps, with and without the undo.
final class Holders {

  /// The maximum number of holders of one block: far above any use, far below overflow.
  private static final int MAX_HOLDERS = 1 << 29;

  private static final int DEAD = Integer.MIN_VALUE;

  /// Each refused share of a dead block raises its count by 1. A count that has reached this value
  /// is reset to [#DEAD].
  private static final int MAX_DEAD = Integer.MIN_VALUE / 2;

  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

  private Holders() {}

  /// The count of a block that has never had a handle.
  static int initial() {
    return DEAD;
  }

  /// Begins a life with one holder. Called by the driver of the heap for a dead block.
  static void revive(int[] counts, int at) {
    counts[at] = 1;
  }

  /// The number of handles that hold the block; 0 if it is dead.
  static int of(int[] counts, int at) {
    return Math.max((int) COUNT.getVolatile(counts, at), 0);
  }

  /// Adds a holder. [Change#FREED] means that the share was refused and that all holders released
  /// the block during the call.
  static Change share(int[] counts, int at) {
    int before = (int) COUNT.getAndAdd(counts, at, 1);
    return before > 0 && before < MAX_HOLDERS ? Change.DONE : refuseShare(counts, at, before);
  }

  private static Change refuseShare(int[] counts, int at, int before) {
    if (before > 0) {
      Change change = release(counts, at);
      return change == Change.DONE ? Change.TOO_MANY : change;
    }
    if (before >= MAX_DEAD) {
      COUNT.compareAndSet(counts, at, before + 1, DEAD);
    }
    return Change.REFUSED;
  }

  /// Removes a holder.
  static Change release(int[] counts, int at) {
    int count = counts[at];
    while (count > 0) {
      int found = (int) COUNT.compareAndExchange(counts, at, count, count == 1 ? DEAD : count - 1);
      if (found == count) {
        return count == 1 ? Change.FREED : Change.DONE;
      }
      count = found;
    }
    return Change.REFUSED;
  }

  /// The outcome of a change of a count.
  enum Change {
    DONE,
    /// The last holder was removed. The caller returns the block to its heap.
    FREED,
    /// No handle holds the block.
    REFUSED,
    /// The block has [#MAX_HOLDERS] holders; the count is unchanged.
    TOO_MANY
  }
}
