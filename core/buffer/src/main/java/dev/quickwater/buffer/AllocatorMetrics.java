package dev.quickwater.buffer;

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
    return Heaps.total(nativeMemory);
  }
}
