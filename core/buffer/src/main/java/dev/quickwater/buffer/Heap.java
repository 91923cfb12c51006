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

  /// A class without free blocks is refilled with so many bytes at once.
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
  private final FreeStack[] free = new FreeStack[SizeClasses.POOLED];

  /// The one thread whose frees are local; null while nobody drives the heap or it is shared. Only
  /// that thread sets it to itself and takes itself out, so a plain read can tell it from others.
  private @Nullable Thread owner;

  @SuppressWarnings("UnusedVariable") // by REMOTE
  private volatile @Nullable Block remote;

  private final LongAdder freedElsewhere = new LongAdder();
  private final LongAdder reservedHuge = new LongAdder();

  // Written by the owner or under the sharer's lock; read by anyone for metrics.
  private long takenBytes;
  private long freedBytes;
  private volatile int slabs;

  private int samples;
  private @Nullable Runnable probe;

  // What is not yet carved of the newest slab.
  private byte @Nullable [] slabArray;
  private long slabNext;
  private int slabLeft;

  Heap(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
    for (int i = 0; i < free.length; i++) {
      free[i] = new FreeStack();
    }
  }

  void setOwner(@Nullable Thread thread) {
    owner = thread;
  }

  void setProbe(@Nullable Runnable called) {
    probe = called;
  }

  boolean isOwnedByCaller() {
    return Thread.currentThread() == owner;
  }

  boolean isNative() {
    return nativeMemory;
  }

  /// Bytes of slabs, and of huge blocks in use.
  long reserved() {
    return (long) slabs * Slabs.SLAB + reservedHuge.sum();
  }

  /// Exact on the owner's thread; elsewhere it may miss the owner's latest changes.
  long used() {
    VarHandle.acquireFence();
    return takenBytes - freedBytes - freedElsewhere.sum();
  }

  ByteBuf allocate(int capacity, int maxCapacity) {
    Block block = take(capacity);
    return new ByteBuf(
        block, capacity, maxCapacity, LeakTracker.samples(samples++) ? "a buffer" : null);
  }

  /// A block with one holder that has room for `capacity` bytes.
  Block take(int capacity) {
    if (probe != null) {
      probe.run();
    }
    int sizeClass = SizeClasses.of(capacity);
    if (sizeClass >= SizeClasses.POOLED) {
      return takeHuge(sizeClass);
    }
    FreeStack stack = free[sizeClass];
    if (stack.size == 0) {
      refill(sizeClass);
    }
    Block block = stack.pop();
    takenBytes += SizeClasses.capacity(sizeClass);
    block.revive();
    return block;
  }

  void free(Block block) {
    int sizeClass = block.sizeClass;
    if (sizeClass >= SizeClasses.POOLED) {
      freeHuge(block);
    } else if (Thread.currentThread() == owner) {
      freedBytes += SizeClasses.capacity(sizeClass);
      free[sizeClass].push(block);
    } else {
      freedElsewhere.add(SizeClasses.capacity(sizeClass));
      @Nullable Block head;
      do {
        head = remote;
        block.nextFreed = head;
      } while (!REMOTE.compareAndSet(this, head, block));
    }
  }

  private void refill(int sizeClass) {
    collectRemote();
    FreeStack stack = free[sizeClass];
    if (stack.size > 0) {
      return;
    }
    int size = SizeClasses.capacity(sizeClass);
    if (slabLeft < size) {
      newSlab();
    }
    int count = Math.min(Math.max(1, PAGE / size), slabLeft / size);
    for (int i = 0; i < count; i++) {
      carve(sizeClass, size);
    }
  }

  private void newSlab() {
    byte @Nullable [] array = nativeMemory ? null : Slabs.newArray(Slabs.SLAB);
    long next = nativeMemory ? Slabs.mapSlab() : 0;
    carveRest();
    slabArray = array;
    slabNext = next;
    slabLeft = Slabs.SLAB;
    int before = slabs;
    slabs = before + 1;
  }

  /// Turns what is left of a slab into blocks of the largest classes that fit, so that nothing of
  /// it is lost.
  private void carveRest() {
    for (int sizeClass = SizeClasses.POOLED - 1; sizeClass >= 0; sizeClass--) {
      int size = SizeClasses.capacity(sizeClass);
      while (slabLeft >= size) {
        carve(sizeClass, size);
      }
    }
  }

  private void carve(int sizeClass, int size) {
    free[sizeClass].push(new Block(this, sizeClass, slabArray, slabNext));
    slabNext += size;
    slabLeft -= size;
  }

  /// Free blocks of a class, without those that other threads freed since the last collection.
  int freeBlocks(int sizeClass) {
    return free[sizeClass].size;
  }

  /// Takes over what other threads have freed. Owner only.
  void collectRemote() {
    @Nullable Block block = (Block) REMOTE.getAndSet(this, null);
    while (block != null) {
      @Nullable Block next = block.nextFreed;
      block.nextFreed = null;
      free[block.sizeClass].push(block);
      block = next;
    }
  }

  private Block takeHuge(int sizeClass) {
    int size = SizeClasses.capacity(sizeClass);
    Block block =
        nativeMemory
            ? new Block(this, sizeClass, null, Slabs.mapRange(sizeClass))
            : new Block(this, sizeClass, Slabs.newArray(size), 0);
    takenBytes += size;
    reservedHuge.add(size);
    block.revive();
    return block;
  }

  private void freeHuge(Block block) {
    int size = block.capacity();
    freedElsewhere.add(size);
    reservedHuge.add(-size);
    if (block.array == null) {
      Slabs.returnRange(block.address, block.sizeClass);
    } else {
      Slabs.unreserve(size);
    }
  }

  /// Blocks of one class that are free, the last freed first.
  private static final class FreeStack {

    private static final @Nullable Block[] NONE = {};

    private @Nullable Block[] blocks = NONE;
    int size;

    void push(Block block) {
      if (size == blocks.length) {
        blocks = Arrays.copyOf(blocks, Math.max(16, size * 2));
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
