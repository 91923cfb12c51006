package dev.quickwater.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A piece of counted memory: where it is, how many handles hold it, and which heap takes it back.
///
/// The count is `2 x holders`; odd means dead. Releasing tries `2 -> 1` and otherwise subtracts 2;
/// sharing adds 2 and undoes that when the block was dead or the count too high. After a
/// subtraction that reached 0, and after any undo, `0 -> 1` is tried, and **only a change to 1
/// frees**: a stray `share` that races the last release can neither revive the block nor free it
/// twice.
///
/// A block object belongs to its memory for good and is used again with it; a new life begins by a
/// change from 1 to 2, not by a store or an addition, since the undo of a stray `share` or release
/// might fall into it: a store would swallow that undo, an addition be counted with it. Handles are
/// never used again, so a stale handle can reach the next life of a block only from a thread that
/// races the release. (A block object for each life would close that too; measured, it costs 4 ns
/// and 40 bytes an allocation.)
final class Block {

  private static final VarHandle STATE;

  static final int ALONE = -1;

  /// Holders that one block may have; far above any use, far below overflow.
  private static final int MOST_HOLDERS = 1 << 29;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Block.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Who takes the block back.
  final Heap heap;

  /// The page it was cut from.
  final Page page;

  /// The page's array for heap memory, null for native memory.
  final byte @Nullable [] array;

  /// The native address, or the offset in [#array].
  final long address;

  /// Links blocks that other threads have freed.
  @Nullable Block nextFreed;

  /// What this and the blocks behind it in that list hold, in units of [SizeClasses#STEP]; [#ALONE]
  /// for a block that has a region to itself and so never gets there.
  int freedSteps;

  /// Bytes. Kept here as well as in the page, so that a thread which frees the block need not read
  /// what the page's owner writes.
  private final int capacity;

  /// Changed by [#STATE] alone; not volatile, so that making a block costs no fence.
  private int state = 1;

  /// Dead until [#revive].
  Block(Heap heap, Page page, byte @Nullable [] array, long address) {
    this.heap = heap;
    this.page = page;
    this.capacity = page.blockSize;
    this.freedSteps = page.sizeClass < SizeClasses.COUNT ? 0 : ALONE;
    this.array = array;
    this.address = address;
  }

  int capacity() {
    return capacity;
  }

  /// Begins a life with one holder; called by the heap that has just taken the block from a free
  /// list. A stray release or share that is not yet undone is waited for: a life that begins within
  /// it would be counted wrongly for good.
  void revive() {
    while (!STATE.compareAndSet(this, 1, 2)) {
      Thread.onSpinWait();
    }
  }

  int holders() {
    int s = (int) STATE.getVolatile(this);
    return (s & 1) == 0 ? s >>> 1 : 0;
  }

  void share() {
    int before = (int) STATE.getAndAdd(this, 2);
    if ((before & 1) != 0 || before <= 0 || before >= 2 * MOST_HOLDERS) {
      undoShare();
      throw new IllegalStateException(
          (before & 1) != 0 || before == 0
              ? "the memory was released by its last holder"
              : "the memory has " + (before >>> 1) + " holders, the limit is " + MOST_HOLDERS);
    }
  }

  private void undoShare() {
    STATE.getAndAdd(this, -2);
    freeIfUnheld();
  }

  void release() {
    // Looked at first, since a change that fails costs as much as one that succeeds.
    if (state == 2 && STATE.compareAndSet(this, 2, 1)) {
      heap.free(this);
      return;
    }
    int before = (int) STATE.getAndAdd(this, -2);
    if ((before & 1) != 0 || before <= 0) {
      STATE.getAndAdd(this, 2);
      freeIfUnheld();
      throw new IllegalStateException("the memory was released more often than it was held");
    }
    if (before == 2) {
      freeIfUnheld();
    }
  }

  private void freeIfUnheld() {
    if (STATE.compareAndSet(this, 0, 1)) {
      heap.free(this);
    }
  }
}
