package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Backoff;
import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.SizeClasses;
import org.jspecify.annotations.Nullable;

/// A few heaps behind locks, for threads that do not own a heap.
///
/// A thread starts at the stripe of its id and uses the first heap that is not locked. A lock is
/// held for nanoseconds, or for a system call when a slab is mapped. A thread that finds all
/// stripes locked waits briefly and tries again.
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
    return allocateIn(Blocks.aligned(capacity), capacity, maxCapacity);
  }

  private ByteBuf allocateIn(int room, int capacity, int maxCapacity) {
    ByteBuf buffer = Blocks.newHandle(own(), maxCapacity);
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

  /// The heap with the handle counter of the caller. The heap is not locked: a lost increment only
  /// changes which handles are tracked.
  private Heap own() {
    return heaps[(int) Thread.currentThread().threadId() & STRIPES - 1];
  }

  /// Opens a handle on a block with room for `room` bytes: for a new buffer, or for a buffer that
  /// grows on a thread that does not own its heap.
  void take(int room, ByteBuf handle, int capacity) {
    if (room > SizeClasses.LARGEST_POOLED) {
      Blocks.open(handle, own().takeAlone(room), capacity);
      return;
    }
    Heap heap = lockOne();
    try {
      Blocks.open(handle, heap.take(room), capacity);
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

  /// Returns the memory that no buffer uses, except in stripes that another thread has locked.
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
