package dev.quickwater.buffer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The heaps of the process: what they hold together, and how they return what they do not use. A
/// heap whose loop has ended serves the next one, so there are few. Any thread.
final class Heaps {

  private static final List<Heap> ALL = new CopyOnWriteArrayList<>();

  private Heaps() {}

  /// Adds a heap, for good.
  static Heap add(Heap heap) {
    ALL.add(heap);
    return heap;
  }

  /// Collects and trims every heap that the caller drives or can drive for a moment, after handing
  /// over what the caller has freed of others.
  ///
  /// @param driven a heap whose lock the caller holds
  static void trim(@Nullable Heap driven) {
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

  /// Asks the threads that drive other heaps to trim them.
  ///
  /// @param driven a heap whose lock the caller holds
  static void requestTrims(@Nullable Heap driven) {
    for (Heap heap : ALL) {
      if (heap != driven) {
        heap.requestTrim();
      }
    }
  }

  /// True while a thread has not done what [#requestTrims] asked for.
  static boolean isTrimDue(@Nullable Heap driven) {
    for (Heap heap : ALL) {
      if (heap != driven && !heap.isOwnedByCaller() && heap.isTrimDue()) {
        return true;
      }
    }
    return false;
  }

  /// Bytes of pages in which no heap has a block in use.
  static long emptiedBytes() {
    long bytes = 0;
    for (Heap heap : ALL) {
      bytes += heap.emptiedBytes();
    }
    return bytes;
  }

  /// What all heaps of one kind hold together, with the memory that is kept for any of them.
  static AllocatorMetrics total(boolean nativeMemory) {
    long used = 0;
    long bookkeeping = 0;
    for (Heap heap : ALL) {
      if (heap.isNative() == nativeMemory) {
        used += heap.used();
        bookkeeping += heap.bookkeeping();
      }
    }
    long unpooled = nativeMemory ? 0 : UnpooledAllocator.IT.metrics().reserved();
    return new AllocatorMetrics(
        nativeMemory, used, PageSource.of(nativeMemory).reserved() + unpooled, bookkeeping);
  }
}
