package dev.quickwater.buffer.allocation;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// All heaps of the process: their total figures, and trims that another heap has requested. A heap
/// whose loop has ended serves the next loop, so there are few heaps. Any thread.
public final class Heaps {

  private static final List<Heap> ALL = new CopyOnWriteArrayList<>();

  private Heaps() {}

  /// Adds a heap. Heaps are never removed.
  public static Heap add(Heap heap) {
    ALL.add(heap);
    return heap;
  }

  /// Calls `probe` before each allocation and each growth in the heaps that the calling thread
  /// owns. Its exceptions reach the caller. Tests use it to throw an [OutOfMemoryError] at the n-th
  /// allocation. Null removes the probe.
  ///
  /// @throws IllegalStateException if the calling thread owns no heap
  public static void probe(@Nullable Runnable probe) {
    boolean found = false;
    for (Heap heap : ALL) {
      if (heap.isOwnedByCaller()) {
        heap.setProbe(probe);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalStateException("the calling thread owns no heap");
    }
  }

  /// Publishes the blocks of other heaps that the caller has freed. Then collects and trims every
  /// heap that the caller drives or can lock.
  ///
  /// @param driven a heap whose lock the caller holds
  public static void trim(@Nullable Heap driven) {
    @Nullable Outbox outbox = Outbox.ofCaller();
    if (outbox != null) {
      outbox.publish();
    }
    for (Heap heap : ALL) {
      if (heap == driven || heap.isOwnedByCaller()) {
        heap.reclaim();
      } else if (heap.tryLock()) {
        try {
          heap.reclaim();
        } finally {
          heap.unlock();
          heap.collectAbandoned();
        }
      }
    }
  }

  /// Requests trims from the threads that drive other heaps.
  ///
  /// @param driven a heap whose lock the caller holds
  static void requestTrims(@Nullable Heap driven) {
    for (Heap heap : ALL) {
      if (heap != driven) {
        heap.requestTrim();
      }
    }
  }

  /// True while a thread has not completed a requested trim.
  static boolean isTrimDue(@Nullable Heap driven) {
    for (Heap heap : ALL) {
      if (heap != driven && !heap.isOwnedByCaller() && heap.isTrimDue()) {
        return true;
      }
    }
    return false;
  }

  /// Bytes of pages in which no heap has a block in use.
  public static long emptiedBytes() {
    long bytes = 0;
    for (Heap heap : ALL) {
      bytes += heap.emptiedBytes();
    }
    return bytes;
  }

  /// Bytes of blocks in use in all heaps of one kind of memory.
  public static long used(boolean nativeMemory) {
    long used = 0;
    for (Heap heap : ALL) {
      used += heap.isNative() == nativeMemory ? heap.used() : 0;
    }
    return used;
  }

  /// Bytes of Java heap for the memory of all heaps of one kind of memory.
  public static long bookkeeping(boolean nativeMemory) {
    long bookkeeping = 0;
    for (Heap heap : ALL) {
      bookkeeping += heap.isNative() == nativeMemory ? heap.bookkeeping() : 0;
    }
    return bookkeeping;
  }
}
