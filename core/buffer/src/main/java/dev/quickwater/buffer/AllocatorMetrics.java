package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.MemoryLimit;
import dev.quickwater.buffer.allocation.PageSource;

/// Bytes of one allocator, or of all allocators.
///
/// @param nativeMemory true when the bytes are outside the Java heap
/// @param used bytes of blocks that a buffer holds, rounded up to their size classes
/// @param reserved bytes of pages, in use or free, and of blocks that share no page
/// @param bookkeeping estimated bytes of Java heap that manage these pages and blocks, without
///   their memory. One handle is included for each block in use. Blocks that another thread has
///   freed, and further handles on a block, are not included. No limit applies to these bytes
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
