package dev.quickwater.buffer.allocation;

/// The system calls of [NativePages]; tests replace them with a scripted kernel.
interface PageSystem {

  /// The address of an unused range of `length` bytes, a multiple of the page size.
  ///
  /// @throws OutOfMemoryError if the system refuses
  long map(long length);

  /// Returns the memory of whole pages; the kernel rounds the length up.
  ///
  /// @throws IllegalArgumentException if the system refuses
  void discard(long address, long length);
}
