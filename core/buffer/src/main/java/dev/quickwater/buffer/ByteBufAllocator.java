package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;

/// Creates buffers. The caller of an allocation holds the buffer: it releases the buffer or passes
/// it on.
///
/// With native access, buffers are blocks of mapped memory that is never zeroed. Without it, they
/// are parts of arrays. [#shared] serves any thread. Each event loop has a faster allocator for its
/// own thread.
public sealed interface ByteBufAllocator permits LoopAllocator, SharedAllocator, UnpooledAllocator {

  /// The default and upper limit of the maximum capacity of a buffer: 1 GiB. A larger maximum
  /// capacity has the same effect as this value.
  int DEFAULT_MAX_CAPACITY = 1 << 30;

  /// The alignment of aligned memory in bytes: a cache line.
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

  /// Like [#allocate(int,int)], with an address in native memory that is a multiple of
  /// [#ALIGNMENT]. The address stays aligned when the buffer grows. Arrays are not aligned.
  ByteBuf allocateAligned(int capacity, int maxCapacity);

  /// True when buffers are in native memory.
  boolean isNative();

  /// The memory in use. The metrics of a loop allocator may miss its latest changes if another
  /// thread reads them.
  AllocatorMetrics metrics();

  /// The allocator for threads that are not event loops. Any thread may use it, virtual threads
  /// too. It keeps no caches per thread.
  static ByteBufAllocator shared() {
    return SharedAllocator.of(NativeAccess.enabled());
  }

  /// Like [#shared], but always in arrays: for bytes that are passed to classes of the JDK and not
  /// to a socket.
  static ByteBufAllocator arrays() {
    return SharedAllocator.of(false);
  }

  /// An allocator that keeps no memory: each buffer is a separate array. For buffers that live long
  /// or are seldom created. Any thread.
  static ByteBufAllocator unpooled() {
    return UnpooledAllocator.IT;
  }
}
