package dev.quickwater.buffer;

/// Bytes of one allocator.
///
/// @param nativeMemory true when the bytes are outside the Java heap
/// @param used bytes of blocks that some buffer holds, rounded up to their size classes
/// @param reserved bytes of slabs, in use or free
public record AllocatorMetrics(boolean nativeMemory, long used, long reserved) {

  /// Bytes reserved by all allocators of the process.
  public static long reservedInProcess() {
    return Slabs.reserved();
  }
}
