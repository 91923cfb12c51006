package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.Orphans;
import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.system.NativeAccess;
import org.jspecify.annotations.Nullable;

/// The allocator of one event loop. On the thread of the loop, its only atomic operation is on the
/// count of a block.
///
/// - [#allocate] must be called on the thread that called [#attach]. Buffers may be released on any
///   thread.
/// - [#detach] leaves the heap, with the blocks that buffers still hold, to the next loop that
///   attaches. Loops that start and stop therefore do not accumulate memory. Meanwhile, each thread
///   that releases a buffer of the heap also collects it.
/// - The loop calls [#collect] before it blocks, [#collectIfRequested] and [#publishReleased] in
///   each turn, and [#trimIdle] after it has been idle.
public final class LoopAllocator implements ByteBufAllocator {

  private static final Orphans ORPHANS = new Orphans();

  private final boolean nativeMemory;
  private volatile @Nullable Heap heap;

  /// An allocator that belongs to no thread yet. It uses native memory if native access is granted.
  public LoopAllocator() {
    this(NativeAccess.enabled());
  }

  LoopAllocator(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
  }

  /// An allocator that always uses arrays.
  public static LoopAllocator ofArrays() {
    return new LoopAllocator(false);
  }

  /// Makes the calling thread the owner.
  ///
  /// @throws IllegalStateException if a thread is attached
  public void attach() {
    attach(() -> {});
  }

  /// Makes the calling thread the owner. Other threads call `waker` to wake it: once when 1 MiB of
  /// memory waits for [#collect], and when another thread requests memory that this allocator may
  /// keep without use.
  ///
  /// @throws IllegalStateException if a thread is attached
  public synchronized void attach(Runnable waker) {
    if (heap != null) {
      throw new IllegalStateException("the allocator is attached to a thread already");
    }
    Heap adopted = adopt();
    adopted.attach(Thread.currentThread(), waker);
    heap = adopted;
  }

  /// Abandons the heap. Called by the owner.
  public synchronized void detach() {
    Heap left = own();
    heap = null;
    try {
      left.detach();
    } finally {
      ORPHANS.add(left);
    }
  }

  private Heap adopt() {
    @Nullable Heap orphan = ORPHANS.poll(nativeMemory);
    return orphan != null ? orphan : Heaps.add(new Heap(nativeMemory));
  }

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return Blocks.allocate(own(), capacity, capacity, maxCapacity);
  }

  @Override
  public ByteBuf allocateAligned(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return Blocks.allocate(own(), Blocks.aligned(capacity), capacity, maxCapacity);
  }

  /// Collects the blocks that other threads have released. Called by the owner; costs one load when
  /// there are none.
  public void collect() {
    own().collect();
  }

  /// [#collect] if another thread waits for memory that this allocator may keep without use. Called
  /// by the owner in each turn; costs one load.
  public void collectIfRequested() {
    @Nullable Heap attached = heap;
    if (attached != null && attached.isTrimRequested()) {
      attached.collect();
    }
  }

  /// Publishes the blocks of other loops that this loop has released. Called by the owner at the
  /// end of each turn; costs two loads when there are none.
  public void publishReleased() {
    @Nullable Heap attached = heap;
    if (attached != null) {
      attached.publishFreed();
    }
  }

  /// True when [#trimIdle] may find memory that no buffer uses. Called by the owner.
  public boolean canTrim() {
    return own().emptiedBytes() > 0 || PageSource.of(nativeMemory).hasIdle();
  }

  /// Returns the memory of this allocator that no buffer uses, and the process-wide idle memory
  /// that no request has needed since the last call. Intended for a loop that has been idle for a
  /// while. Called by the owner.
  public void trimIdle() {
    Heap mine = own();
    mine.collect();
    mine.trim();
    SharedAllocator.of(nativeMemory).trim();
    PageSource.of(nativeMemory).trimUnused();
  }

  /// Returns to the system all memory that no buffer uses, of this allocator and process-wide.
  /// Called by the owner.
  public void trim() {
    Heap mine = own();
    mine.collect();
    mine.trim();
    SharedAllocator.of(nativeMemory).trim();
    PageSource.of(nativeMemory).trim();
  }

  private Heap own() {
    @Nullable Heap attached = heap;
    if (attached == null) {
      throw new IllegalStateException("the allocator is attached to no thread");
    }
    if (!attached.isOwnedByCaller()) {
      throw new IllegalStateException(
          "this allocator belongs to another thread; use ByteBufAllocator.shared()");
    }
    return attached;
  }

  @Override
  public boolean isNative() {
    return nativeMemory;
  }

  @Override
  public AllocatorMetrics metrics() {
    @Nullable Heap attached = heap;
    return attached == null
        ? new AllocatorMetrics(nativeMemory, 0, 0, 0)
        : AllocatorMetrics.of(attached);
  }
}
