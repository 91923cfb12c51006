package dev.quickwater.buffer;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The allocator of one event loop: no atomics on its own thread.
///
/// [#allocate] is for the thread that called [#attach]; buffers may be released anywhere. [#detach]
/// leaves the heap, with whatever blocks are still held outside, to the next loop that attaches, so
/// that loops which come and go do not pile up slabs.
public final class LoopAllocator implements ByteBufAllocator {

  private static final ArrayDeque<Heap> ORPHANS = new ArrayDeque<>();

  private final boolean nativeMemory;
  private @Nullable Heap heap;

  /// An allocator that belongs to no thread yet.
  public LoopAllocator() {
    this(dev.quickwater.system.NativeAccess.enabled());
  }

  LoopAllocator(boolean nativeMemory) {
    this.nativeMemory = nativeMemory;
  }

  /// Makes the calling thread the owner.
  ///
  /// @throws IllegalStateException if a thread is attached
  public synchronized void attach() {
    if (heap != null) {
      throw new IllegalStateException("the allocator is attached to a thread already");
    }
    Heap adopted = adopt();
    adopted.setOwner(Thread.currentThread());
    heap = adopted;
  }

  /// Gives the heap up; called by the owner.
  public synchronized void detach() {
    Heap left = heap();
    if (!left.isOwnedByCaller()) {
      throw new IllegalStateException("only the attached thread can detach");
    }
    left.setProbe(null);
    left.setOwner(null);
    heap = null;
    synchronized (ORPHANS) {
      ORPHANS.addLast(left);
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
    return new Heap(nativeMemory);
  }

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    Heap mine = heap();
    if (!mine.isOwnedByCaller()) {
      throw new IllegalStateException(
          "this allocator belongs to another thread; use ByteBufAllocator.shared()");
    }
    return mine.allocate(capacity, maxCapacity);
  }

  private Heap heap() {
    @Nullable Heap attached = heap;
    if (attached == null) {
      throw new IllegalStateException("the allocator is attached to no thread");
    }
    return attached;
  }

  /// Calls `probe` before each allocation, and before each growth, that the attached thread makes;
  /// what it throws reaches the caller. For tests of how a program bears an [OutOfMemoryError] at
  /// its n-th allocation; null ends it. Called by the owner.
  public void probe(@Nullable Runnable probe) {
    heap().setProbe(probe);
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
