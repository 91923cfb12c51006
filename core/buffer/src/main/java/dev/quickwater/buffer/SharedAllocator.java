package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// A few heaps behind locks, for threads that own none.
///
/// A thread begins at the stripe of its id and takes the first heap that is not locked. The locks
/// are held for nanoseconds, or for a system call when a slab is mapped. A thread that finds all
/// stripes taken waits a moment and tries again.
final class SharedAllocator implements ByteBufAllocator {

  private static final int STRIPES =
      Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors()) * 4 - 1);

  private static final class OfNative {
    static final SharedAllocator IT = new SharedAllocator(true);
  }

  private static final class OfArrays {
    static final SharedAllocator IT = new SharedAllocator(false);
  }

  private final boolean nativeMemory;
  final Heap[] heaps = new Heap[STRIPES];

  private SharedAllocator(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
    for (int i = 0; i < STRIPES; i++) {
      heaps[i] = Heaps.add(new Heap(nativeMemory));
    }
  }

  static SharedAllocator of(boolean nativeMemory) {
    return nativeMemory ? OfNative.IT : OfArrays.IT;
  }

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return allocateIn(capacity, capacity, maxCapacity);
  }

  @Override
  public ByteBuf allocateAligned(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return allocateIn(Heap.aligned(capacity), capacity, maxCapacity);
  }

  private ByteBuf allocateIn(int room, int capacity, int maxCapacity) {
    ByteBuf buffer = own().newHandle(maxCapacity);
    boolean taken = false;
    try {
      take(room, buffer, capacity);
      taken = true;
    } finally {
      if (!taken) {
        buffer.untrack();
      }
    }
    return buffer;
  }

  /// The heap whose counter of handles the caller uses; it is not locked, because a count that is
  /// lost now and then only changes which handles are tracked.
  private Heap own() {
    return heaps[(int) Thread.currentThread().threadId() & STRIPES - 1];
  }

  /// Gives a handle a block with room for `room` bytes: for a new buffer, or for one that grows on
  /// a thread which does not own its heap.
  void take(int room, ByteBuf handle, int capacity) {
    Heap heap = lockOne();
    try {
      heap.take(room, handle, capacity);
    } finally {
      heap.unlock();
    }
  }

  private Heap lockOne() {
    boolean interrupted = false;
    @Nullable Heap heap;
    for (int tries = 0; (heap = tryLockOne()) == null; tries++) {
      interrupted |= Backoff.pause(tries);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return heap;
  }

  private @Nullable Heap tryLockOne() {
    int begin = (int) Thread.currentThread().threadId();
    for (int i = 0; i < STRIPES; i++) {
      Heap heap = heaps[begin + i & STRIPES - 1];
      if (heap.tryLock()) {
        return heap;
      }
    }
    return null;
  }

  /// Returns what no buffer is in, except in stripes that a thread is in at this moment.
  void trim() {
    for (Heap heap : heaps) {
      if (heap.tryLock()) {
        try {
          heap.collect();
          heap.trim();
        } finally {
          heap.unlock();
        }
      }
    }
  }

  @Override
  public boolean isNative() {
    return nativeMemory;
  }

  @Override
  public AllocatorMetrics metrics() {
    long used = 0;
    long reserved = 0;
    long bookkeeping = 0;
    for (Heap heap : heaps) {
      used += heap.used();
      reserved += heap.reserved();
      bookkeeping += heap.bookkeeping();
    }
    return new AllocatorMetrics(nativeMemory, used, reserved, bookkeeping);
  }
}
