package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The allocator of one event loop: no atomics but a block's own count on its own thread.
///
/// [#allocate] is for the thread that called [#attach]; buffers may be released anywhere. [#detach]
/// leaves the heap, with whatever blocks are still held outside, to the next loop that attaches, so
/// that loops which come and go do not pile up memory; what comes back to it meanwhile is returned
/// by whoever releases it.
///
/// Its loop calls [#collect] before it blocks, and [#trim] once it has been idle.
public final class LoopAllocator implements ByteBufAllocator {

  private static final ArrayDeque<Heap> ORPHANS = new ArrayDeque<>();

  private final boolean nativeMemory;
  private volatile @Nullable Heap heap;

  /// An allocator that belongs to no thread yet, of native memory where that is granted.
  public LoopAllocator() {
    this(NativeAccess.enabled());
  }

  LoopAllocator(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
  }

  /// An allocator whose memory is arrays, whatever is granted.
  public static LoopAllocator ofArrays() {
    return new LoopAllocator(false);
  }

  /// Makes the calling thread the owner.
  ///
  /// @throws IllegalStateException if a thread is attached
  public void attach() {
    attach(() -> {});
  }

  /// Makes the calling thread the owner. `waker` is called by a thread that releases when 1 MiB of
  /// memory has gathered there for the owner to collect; once, until it has.
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

  /// Gives the heap up; called by the owner.
  public synchronized void detach() {
    Heap left = own();
    heap = null;
    try {
      left.detach();
    } finally {
      synchronized (ORPHANS) {
        ORPHANS.addLast(left);
      }
    }
  }

  private Heap adopt() {
    synchronized (ORPHANS) {
      for (Heap orphan : ORPHANS) {
        if (orphan.isNative() == nativeMemory) {
          ORPHANS.remove(orphan);
          return orphan;
        }
      }
    }
    return new Heap(nativeMemory).counted();
  }

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return own().allocate(capacity, maxCapacity);
  }

  @Override
  public ByteBuf allocateAligned(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    Heap mine = own();
    return mine.handle(mine.take(Heap.aligned(capacity)), capacity, maxCapacity);
  }

  /// Takes over what other threads have released. Called by the owner; costs a load when there is
  /// nothing.
  public void collect() {
    own().collect();
  }

  /// True when [#trim] would find pages without a buffer. Called by the owner.
  public boolean canTrim() {
    return own().hasEmptyPages();
  }

  /// Gives all memory back to the system that no buffer is in, this allocator's and what the
  /// process keeps for all. Called by the owner.
  public void trim() {
    Heap mine = own();
    mine.collect();
    mine.trim();
    SharedAllocator.of(nativeMemory).trim();
    PageSource.of(nativeMemory).trim();
  }

  /// Calls `probe` before each allocation, and before each growth, that the attached thread makes;
  /// what it throws reaches the caller. For tests of how a program bears an [OutOfMemoryError] at
  /// its n-th allocation; null ends it. Called by the owner.
  public void probe(@Nullable Runnable probe) {
    own().setProbe(probe);
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
        ? new AllocatorMetrics(nativeMemory, 0, 0)
        : new AllocatorMetrics(nativeMemory, attached.used(), attached.reserved());
  }
}
