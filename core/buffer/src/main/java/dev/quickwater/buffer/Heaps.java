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

  /// Collects and trims every heap that the caller drives or can drive for a moment.
  ///
  /// @param driven a heap whose lock the caller holds
  static void trim(@Nullable Heap driven) {
    for (Heap heap : ALL) {
      if (heap == driven || heap.isOwnedByCaller()) {
        heap.answer();
      } else if (heap.tryLock()) {
        try {
          heap.answer();
        } finally {
          heap.unlock();
        }
      }
    }
  }

  /// Asks the loops that other heaps belong to, to trim them.
  static void askOthers() {
    ALL.forEach(Heap::ask);
  }

  /// True while a loop that was asked has not answered. Answers for the caller's own heaps, which
  /// others may be waiting for meanwhile.
  static boolean isAnswerDue() {
    boolean due = false;
    for (Heap heap : ALL) {
      if (heap.isAsked() && heap.isOwnedByCaller()) {
        heap.answer();
      }
      due |= heap.isAnswerDue();
    }
    return due;
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
