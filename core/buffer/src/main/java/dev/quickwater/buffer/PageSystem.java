package dev.quickwater.buffer;

/// What [NativePages] asks of the system; tests put a kernel of their own behind it.
interface PageSystem {

  /// The address of a range of `length` bytes, a multiple of the page size, that is in no other
  /// use.
  ///
  /// @throws OutOfMemoryError if the system refuses
  long map(long length);

  /// Returns the memory of whole pages; the kernel rounds the length up.
  ///
  /// @throws IllegalArgumentException if the system refuses
  void discard(long address, long length);
}
