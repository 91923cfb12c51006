package dev.quickwater.buffer;

/// Bytes of one allocator, or of all.
///
/// @param nativeMemory true when the bytes are outside the Java heap
/// @param used bytes of blocks that some buffer holds, rounded up to their size classes
/// @param reserved bytes of pages, in use or free, and of the blocks that have none
/// @param bookkeeping bytes of Java heap that these pages and blocks take beside their memory, with
///   a handle for each block in use; not limited, and an estimate that further handles come on top
///   of
public record AllocatorMetrics(boolean nativeMemory, long used, long reserved, long bookkeeping) {

  /// Bytes reserved by all allocators of the process, native memory and arrays together: what
  /// `dev.quickwater.bufferLimit` limits.
  public static long reservedInProcess() {
    return MemoryLimit.reserved();
  }

  /// What all allocators of one kind hold, with the memory that is kept for any of them.
  public static AllocatorMetrics total(boolean nativeMemory) {
    return Heaps.total(nativeMemory);
  }
}
