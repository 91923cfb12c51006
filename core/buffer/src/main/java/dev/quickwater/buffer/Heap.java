package dev.quickwater.buffer;

import dev.quickwater.common.LeakTracker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Blocks of all size classes, taken by one thread at a time and given back by any.
///
/// - [#take] is for the owner, or under the lock of whoever shares the heap.
/// - [#free] by the owner pushes to the class's stack; by another thread it pushes to one list that
///   the next `take` without a free block collects whole.
/// - Free blocks are remembered in Java arrays, outside the memory they stand for: a stale write
///   cannot corrupt the heap.
final class Heap {

  private static final int PAGE = 64 << 10;
  private static final VarHandle REMOTE;

  static {
    try {
      REMOTE = MethodHandles.lookup().findVarHandle(Heap.class, "remote", Block.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean nativeMemory;
  private final FreeStack[] free = new FreeStack[SizeClasses.COUNT];

  /// The one thread whose frees are local; null while nobody drives the heap or it is shared.
  private volatile @Nullable Thread owner;

  @SuppressWarnings("UnusedVariable") // by REMOTE
  private volatile @Nullable Block remote;

  private final LongAdder freedRemotely = new LongAdder();

  // Written by the owner or under the sharer's lock; read by anyone for metrics.
  private volatile long reserved;
  private long takenBytes;
  private long freedBytes;
  private int samples;

  private byte @Nullable [] slabArray;
  private long slabNext;
  private long slabEnd;

  Heap(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
    for (int i = 0; i < free.length; i++) {
      free[i] = new FreeStack(SizeClasses.capacity(i));
    }
  }

  void setOwner(@Nullable Thread thread) {
    owner = thread;
  }

  boolean isOwnedByCaller() {
    return Thread.currentThread() == owner;
  }

  boolean isNative() {
    return nativeMemory;
  }

  long reserved() {
    return reserved;
  }

  /// Exact on the owner's thread; elsewhere it may miss the owner's latest changes.
  long used() {
    VarHandle.acquireFence();
    return takenBytes - freedBytes - freedRemotely.sum();
  }

  ByteBuf allocate(int capacity, int maxCapacity) {
    Block block = take(capacity);
    return new ByteBuf(
        block, capacity, maxCapacity, LeakTracker.samples(samples++) ? "a buffer" : null);
  }

  Block take(int capacity) {
    int sizeClass = SizeClasses.of(capacity);
    Block block;
    if (sizeClass == SizeClasses.HUGE) {
      block = takeHuge(capacity);
    } else {
      FreeStack stack = free[sizeClass];
      if (stack.size == 0) {
        refill(stack, sizeClass);
      }
      block = stack.pop();
    }
    takenBytes += block.capacity;
    block.revive();
    return block;
  }

  void free(Block block) {
    if (block.sizeClass == SizeClasses.HUGE) {
      freeHuge(block);
    } else if (Thread.currentThread() == owner) {
      freedBytes += block.capacity;
      free[block.sizeClass].push(block);
    } else {
      freedRemotely.add(block.capacity);
      @Nullable Block head;
      do {
        head = remote;
        block.nextFreed = head;
      } while (!REMOTE.compareAndSet(this, head, block));
    }
  }

  private void refill(FreeStack stack, int sizeClass) {
    collectRemote();
    if (stack.size > 0) {
      return;
    }
    int size = stack.blockSize;
    int count = Math.max(1, PAGE / size);
    if (slabEnd - slabNext < (long) size * count) {
      newSlab();
    }
    for (int i = 0; i < count; i++) {
      stack.push(new Block(this, sizeClass, size, slabArray, slabNext));
      slabNext += size;
    }
  }

  private void newSlab() {
    if (nativeMemory) {
      slabNext = Slabs.mapSlab();
    } else {
      slabArray = Slabs.newArray(Slabs.SLAB);
      slabNext = 0;
    }
    slabEnd = slabNext + Slabs.SLAB;
    long before = reserved;
    reserved = before + Slabs.SLAB;
  }

  private void collectRemote() {
    @Nullable Block block = (Block) REMOTE.getAndSet(this, null);
    while (block != null) {
      @Nullable Block next = block.nextFreed;
      block.nextFreed = null;
      free[block.sizeClass].push(block);
      block = next;
    }
  }

  private Block takeHuge(int capacity) {
    if (!nativeMemory) {
      return new Block(this, SizeClasses.HUGE, capacity, Slabs.newArray(capacity), 0);
    }
    if (capacity > 1 << 30) {
      throw new IllegalArgumentException(
          "a buffer of " + capacity + " bytes was asked for, the largest is " + (1 << 30));
    }
    int rounded = Integer.highestOneBit(capacity - 1) << 1;
    return new Block(this, SizeClasses.HUGE, rounded, null, Slabs.mapRange(rounded));
  }

  private void freeHuge(Block block) {
    freedRemotely.add(block.capacity);
    if (block.array == null) {
      Slabs.returnRange(block.address, block.capacity);
    } else {
      Slabs.unreserve(block.capacity);
    }
  }

  /// Blocks of one class that are free, the last freed first.
  private static final class FreeStack {

    final int blockSize;
    int size;
    private @Nullable Block[] blocks = new Block[16];

    FreeStack(int blockSize) {
      this.blockSize = blockSize;
    }

    void push(Block block) {
      if (size == blocks.length) {
        blocks = Arrays.copyOf(blocks, size * 2);
      }
      blocks[size++] = block;
    }

    @SuppressWarnings("NullAway") // slots below size are set
    Block pop() {
      Block block = blocks[--size];
      blocks[size] = null;
      return block;
    }
  }
}
