package dev.quickwater.buffer;

import java.util.concurrent.locks.ReentrantLock;

/// A few heaps behind locks, chosen by thread id, for threads that own none.
final class SharedAllocator implements ByteBufAllocator {

  private static final int STRIPES =
      Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors()) * 2 - 1);

  private static final class OfNative {
    static final SharedAllocator IT = new SharedAllocator(true);
  }

  private static final class OfArrays {
    static final SharedAllocator IT = new SharedAllocator(false);
  }

  private final boolean nativeMemory;
  private final Heap[] heaps = new Heap[STRIPES];
  private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

  private SharedAllocator(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
    for (int i = 0; i < STRIPES; i++) {
      heaps[i] = new Heap(nativeMemory);
      locks[i] = new ReentrantLock();
    }
  }

  static SharedAllocator of(boolean nativeMemory) {
    return nativeMemory ? OfNative.IT : OfArrays.IT;
  }

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    int stripe = (int) Thread.currentThread().threadId() & (STRIPES - 1);
    ReentrantLock lock = locks[stripe];
    lock.lock();
    try {
      return heaps[stripe].allocate(capacity, maxCapacity);
    } finally {
      lock.unlock();
    }
  }

  /// A block for a buffer that grows on a thread which does not own its heap.
  Block take(int capacity) {
    int stripe = (int) Thread.currentThread().threadId() & (STRIPES - 1);
    ReentrantLock lock = locks[stripe];
    lock.lock();
    try {
      return heaps[stripe].take(capacity);
    } finally {
      lock.unlock();
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
    for (int i = 0; i < STRIPES; i++) {
      locks[i].lock();
      try {
        used += heaps[i].used();
        reserved += heaps[i].reserved();
      } finally {
        locks[i].unlock();
      }
    }
    return new AllocatorMetrics(nativeMemory, used, reserved);
  }
}
