package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;

/// Makes buffers. The one who allocates holds the buffer and releases it, or hands it on.
///
/// Native access decides what the memory is: with it, blocks of mapped memory that is never zeroed;
/// without, parts of arrays. [#shared] serves any thread; each event loop has an allocator of its
/// own, which is faster and belongs to that loop's thread.
public sealed interface ByteBufAllocator permits LoopAllocator, SharedAllocator, UnpooledAllocator {

  /// The capacity that a buffer may grow to unless it was given another: 1 GiB, the most there is.
  /// A larger maximum is taken for this one.
  int DEFAULT_MAX_CAPACITY = 1 << 30;

  /// What the address of aligned memory is a multiple of: a cache line.
  int ALIGNMENT = 64;

  /// An empty buffer that holds `capacity` bytes and grows when more are written.
  ///
  /// @throws IllegalArgumentException if `capacity` is negative or over 1 GiB
  /// @throws OutOfMemoryError over the limit of the process; the message names the setting
  default ByteBuf allocate(int capacity) {
    return allocate(capacity, DEFAULT_MAX_CAPACITY);
  }

  /// An empty buffer that holds `capacity` bytes and grows to at most `maxCapacity`.
  ByteBuf allocate(int capacity, int maxCapacity);

  /// Like [#allocate(int,int)], with an address that is a multiple of [#ALIGNMENT] in native memory
  /// and stays one when the buffer grows. Arrays have no address; there it changes nothing.
  ByteBuf allocateAligned(int capacity, int maxCapacity);

  /// True when buffers are in native memory.
  boolean isNative();

  /// What is in use now. On other threads than a loop allocator's own it may lag by the latest
  /// changes.
  AllocatorMetrics metrics();

  /// The allocator for threads that are no event loops; safe on any thread, virtual ones too, and
  /// keeps no caches by thread.
  static ByteBufAllocator shared() {
    return SharedAllocator.of(NativeAccess.enabled());
  }

  /// Like [#shared], in arrays whatever access is granted: for bytes that go to the JDK's own
  /// classes rather than to a socket.
  static ByteBufAllocator arrays() {
    return SharedAllocator.of(false);
  }

  /// An allocator that keeps nothing: each buffer is an array of its own, for buffers that live
  /// long or are seldom made. Any thread.
  static ByteBufAllocator unpooled() {
    return UnpooledAllocator.IT;
  }
}
