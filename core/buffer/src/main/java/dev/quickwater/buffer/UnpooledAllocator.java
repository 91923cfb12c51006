package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;

/// Each buffer is a separate array. The platform zeroes it, and after its release the garbage
/// collector frees it.
final class UnpooledAllocator implements ByteBufAllocator {

  static final UnpooledAllocator IT = new UnpooledAllocator();

  private final Heap heap = Heaps.add(Heap.unpooled());

  private UnpooledAllocator() {}

  @Override
  public ByteBuf allocate(int capacity, int maxCapacity) {
    ByteBuf.checkCapacities(capacity, maxCapacity);
    return Blocks.allocate(heap, capacity, capacity, maxCapacity);
  }

  @Override
  public ByteBuf allocateAligned(int capacity, int maxCapacity) {
    return allocate(capacity, maxCapacity);
  }

  @Override
  public boolean isNative() {
    return false;
  }

  @Override
  public AllocatorMetrics metrics() {
    return AllocatorMetrics.of(heap);
  }
}
