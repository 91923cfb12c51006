package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;

/// Memory without buffers returns to the other heaps while there is work, and to the system
/// otherwise.
class TrimTest extends Buffers {

  private static List<ByteBuf> fill(LoopAllocator allocator, int count, int size) {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(allocator.allocate(size));
    }
    return held;
  }

  @EachStorage
  void burstsOfManySizesNeedTheMemoryOfTheLargest(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    allocator.trim();
    long before = allocator.metrics().reserved();
    for (int size : new int[] {1000, 5000, 20_000, 100_000, 500_000}) {
      fill(allocator, 1 + (8 << 20) / size, size).forEach(ByteBuf::release);
      long kept = allocator.metrics().reserved() - before;
      assertTrue(kept <= 11 << 20, size + ": " + kept);
    }
    allocator.trim();
    assertEquals(before, allocator.metrics().reserved());
  }

  /// What a heap keeps for its next burst shrinks with the bursts.
  @EachStorage
  void afterSmallerBurstsTheHeapKeepsLess(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    allocator.trim();
    long before = allocator.metrics().reserved();
    fill(allocator, 2_000, 5_000).forEach(ByteBuf::release);
    for (int i = 0; i < 2_000; i++) {
      fill(allocator, 20, 5_000).forEach(ByteBuf::release);
    }
    long kept = allocator.metrics().reserved() - before;
    assertTrue(kept <= 1 << 20, "kept " + kept);
  }

  @EachStorage
  void trimReturnsEverythingThatIsNotInUse(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    allocator.trim();
    long before = AllocatorMetrics.reservedInProcess();
    List<ByteBuf> held = fill(allocator, 2_000, 3_000);
    ByteBuf kept = held.removeLast().writeByte(7);
    held.forEach(ByteBuf::release);
    allocator.trim();
    assertEquals(64 << 10, AllocatorMetrics.reservedInProcess() - before);
    assertEquals(7, kept.readByte());
    kept.release();
    allocator.trim();
    assertEquals(before, AllocatorMetrics.reservedInProcess());
    assertFalse(allocator.canTrim());
  }

  @EachStorage
  void pagesOfOneSizeServeAnother(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    allocator.trim();
    long before = AllocatorMetrics.reservedInProcess();
    long peak = 0;
    for (int size = 1024; size <= 400_000; size *= 2) {
      List<ByteBuf> held = fill(allocator, (8 << 20) / size, size);
      peak = Math.max(peak, AllocatorMetrics.reservedInProcess() - before);
      held.forEach(ByteBuf::release);
    }
    assertTrue(peak <= 12 << 20, () -> "reserved for 8 MiB at a time");
  }

  /// A page becomes empty repeatedly while one buffer is allocated and released. This must not
  /// create pages.
  @EachStorage
  void oneBufferThatComesAndGoesKeepsItsPage(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    allocator.allocate(500_000).release();
    long reserved = allocator.metrics().reserved();
    for (int i = 0; i < 100; i++) {
      allocator.allocate(500_000).release();
      assertEquals(reserved, allocator.metrics().reserved());
    }
  }

  @EachStorage
  void memoryOfALoopThatEndedGoesBackWithItsLastBuffer(Storage storage) throws Exception {
    LoopAllocator first = allocator(storage);
    first.trim();
    long before = AllocatorMetrics.reservedInProcess();
    List<ByteBuf> outside = new ArrayList<>();
    Threads.elsewhere(() -> {
      LoopAllocator allocator = storage.attach();
      outside.addAll(fill(allocator, 1_000, 2_000));
      allocator.detach();
    });
    long full = AllocatorMetrics.reservedInProcess() - before;
    assertTrue(full >= 2_000_000, "reserved " + full);
    outside.forEach(ByteBuf::release);
    PageSource.of(storage == Storage.NATIVE).trim();
    assertEquals(before, AllocatorMetrics.reservedInProcess());
  }
}
