package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.MemoryLimit;
import dev.quickwater.buffer.allocation.PageSource;

/// Bytes of one allocator, or of all allocators.
///
/// @param nativeMemory true when the bytes are outside the Java heap
/// @param used bytes of blocks that a buffer holds, rounded up to their size classes
/// @param reserved bytes of pages, in use or free, and of the blocks that have no page
/// @param bookkeeping estimated bytes of Java heap that these pages and blocks take beside their
///   memory, with one handle for each block in use. A block that another thread has freed is not in
///   use. Further handles of a block are not included, and no limit applies
public record AllocatorMetrics(boolean nativeMemory, long used, long reserved, long bookkeeping) {

  /// Bytes reserved by all allocators of the process, native memory and arrays together. The
  /// setting `dev.quickwater.bufferLimit` limits this number.
  public static long reservedInProcess() {
    return MemoryLimit.reserved();
  }

  /// The metrics of all allocators of one kind of memory, with the idle memory of its source.
  public static AllocatorMetrics total(boolean nativeMemory) {
    long unpooled = nativeMemory ? 0 : UnpooledAllocator.IT.metrics().reserved();
    return new AllocatorMetrics(
        nativeMemory,
        Heaps.used(nativeMemory),
        PageSource.of(nativeMemory).reserved() + unpooled,
        Heaps.bookkeeping(nativeMemory));
  }

  /// The metrics of one heap. Any thread.
  static AllocatorMetrics of(Heap heap) {
    return new AllocatorMetrics(heap.isNative(), heap.used(), heap.reserved(), heap.bookkeeping());
  }
}
