package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// A few heaps behind locks, for threads that own none.
///
/// A thread begins at the stripe of its id and takes the first heap that nobody is in. The locks
/// are held for nanoseconds, or for a system call when a slab is mapped, so that nobody queues: who
/// finds all stripes taken waits a moment and tries again.
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
      heaps[i] = new Heap(nativeMemory).counted();
    }
  }

  static SharedAllocator of(boolean nativeMemory) {
    return nativeMemory ? OfNative.IT : OfArrays.IT;
  }

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return allocate(capacity, capacity, maxCapacity);
  }

  @Override
  public ByteBuf allocateAligned(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return allocate(Heap.aligned(capacity), capacity, maxCapacity);
  }

  /// The handle is made when the heap is free again: to track it reports the leaks of others, to
  /// listeners that may allocate as well.
  private ByteBuf allocate(int room, int capacity, int maxCapacity) {
    Block block = take(room);
    return block.heap.handle(block, capacity, maxCapacity);
  }

  /// A block for a new buffer, or for one that grows on a thread which does not own its heap.
  Block take(int capacity) {
    Heap heap = lockOne();
    try {
      return heap.take(capacity);
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

  /// Gives back what no buffer is in, save in stripes that somebody is in just now.
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
    for (Heap heap : heaps) {
      used += heap.used();
      reserved += heap.reserved();
    }
    return new AllocatorMetrics(nativeMemory, used, reserved);
  }
}
