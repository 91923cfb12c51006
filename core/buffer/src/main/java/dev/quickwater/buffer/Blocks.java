package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Page;

/// Opens handles on blocks of heaps.
///
/// **The handle comes first:** a handle is created and tracked before memory is taken for it, and
/// nothing is allocated between taking a block and opening the handle. An [OutOfMemoryError]
/// therefore loses no block.
final class Blocks {

  private Blocks() {}

  /// `capacity`, rounded up to a positive multiple of [ByteBufAllocator#ALIGNMENT]. The size of its
  /// class is a multiple of the alignment, too.
  static int aligned(int capacity) {
    return Math.max(capacity, 1) + ByteBufAllocator.ALIGNMENT - 1 & -ByteBufAllocator.ALIGNMENT;
  }

  /// A new buffer in a block that has room for `room` bytes. Called by the driver of the heap.
  static ByteBuf allocate(Heap heap, int room, int capacity, int maxCapacity) {
    ByteBuf buffer = newHandle(heap, maxCapacity);
    boolean taken = false;
    try {
      open(buffer, heap.take(room), capacity);
      taken = true;
    } finally {
      if (!taken) {
        buffer.untrack();
      }
    }
    return buffer;
  }

  /// A handle without memory. Tracking it may run leak listeners, which may allocate as well.
  static ByteBuf newHandle(Heap heap, int maxCapacity) {
    return new ByteBuf(maxCapacity, heap.tracksNext() ? "a buffer" : null);
  }

  /// Opens a handle, as the only holder, on the block that was taken last in a page.
  static void open(ByteBuf handle, Page page, int capacity) {
    handle.open(page, page.addressOf(page.taken()), capacity);
  }

  /// Opens a handle on a block for a buffer of `heap` that grows. Any thread.
  static void takeLarger(Heap heap, int capacity, ByteBuf handle) {
    if (!heap.isPooled()) {
      open(handle, heap.takeAlone(capacity), capacity);
      return;
    }
    int room = aligned(capacity);
    if (heap.isOwnedByCaller()) {
      open(handle, heap.take(room), capacity);
    } else {
      SharedAllocator.of(heap.isNative()).take(room, handle, capacity);
    }
  }
}
