package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.testkit.Threads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoopAllocatorTest extends Buffers {

  @EachStorage
  void usedBytesReturnToZero(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    List<ByteBuf> held = new ArrayList<>();
    for (int capacity = 0; capacity <= 600_000; capacity += 9_973) {
      held.add(allocator.allocate(capacity));
    }
    assertTrue(allocator.metrics().used() >= held.stream().mapToInt(ByteBuf::capacity).sum());
    assertTrue(allocator.metrics().reserved() >= allocator.metrics().used());
    held.forEach(ByteBuf::release);
    assertEquals(0, allocator.metrics().used());
  }

  @EachStorage
  void buffersNeverOverlap(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    Random random = new Random(3);
    ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      if (held.size() > 200 || (random.nextBoolean() && !held.isEmpty())) {
        ByteBuf oldest = held.pollFirst();
        int stamp = oldest.getInt(0);
        assertEquals(stamp, oldest.getInt(oldest.capacity() - 4));
        oldest.release();
      } else {
        ByteBuf buffer = allocator.allocate(8 + random.nextInt(1 << random.nextInt(14)));
        buffer.setInt(0, step).setInt(buffer.capacity() - 4, step);
        held.add(buffer);
      }
    }
    held.forEach(ByteBuf::release);
  }

  @EachStorage
  void buffersReleasedElsewhereComeBack(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    long reserved = 0;
    for (int round = 0; round < 50; round++) {
      List<ByteBuf> held = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        held.add(allocator.allocate(1000));
      }
      Threads.elsewhere(() -> held.forEach(ByteBuf::release));
      assertEquals(0, allocator.metrics().used());
      if (round == 0) {
        reserved = allocator.metrics().reserved();
      }
      assertTrue(allocator.metrics().reserved() <= reserved);
    }
  }

  @EachStorage
  void hugeBlocksAreReturned(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    long before = allocator.metrics().reserved();
    for (int size : new int[] {1 << 20, 9 << 20}) {
      ByteBuf buffer = allocator.allocate(size);
      buffer.setByte(size - 1, 1);
      assertEquals(size, allocator.metrics().reserved() - before);
      assertEquals(size, allocator.metrics().used());
      Threads.elsewhere(buffer::release);
      assertEquals(before, allocator.metrics().reserved());
      allocator.trim();
      long process = AllocatorMetrics.reservedInProcess();
      for (int i = 0; i < 200; i++) {
        allocator.allocate(size).release();
      }
      allocator.trim();
      assertEquals(process, AllocatorMetrics.reservedInProcess());
    }
  }

  /// A size class wastes up to a fifth; a block in a separate region wastes less than a unit.
  @EachStorage
  void hugeBlocksAreNotRoundedUpToAClass(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate((5 << 20) + 1);
    assertEquals((5 << 20) + PageSource.UNIT, allocator.metrics().used());
    buffer.release();
  }

  @EachStorage
  void twoHeapsDoNotMix(Storage storage) throws Exception {
    LoopAllocator mine = allocator(storage);
    ByteBuf buffer = mine.allocate(5000);
    Threads.elsewhere(() -> {
      LoopAllocator theirs = storage.attach();
      assertEquals(0, theirs.metrics().used());
      ByteBuf other = theirs.allocate(5000);
      buffer.release();
      assertEquals(5120, theirs.metrics().used());
      other.release();
      assertEquals(0, theirs.metrics().used());
      theirs.detach();
    });
    assertEquals(0, mine.metrics().used());
  }

  /// Loops that come and go with buffers outside do not pile up memory.
  @EachStorage
  void thousandAllocatorsWithLiveBuffersOutsideReserveNoMoreThanAFew(Storage storage)
      throws Exception {
    long before = AllocatorMetrics.reservedInProcess();
    ArrayDeque<ByteBuf> outside = new ArrayDeque<>();
    for (int i = 0; i < 1_000; i++) {
      Threads.elsewhere(() -> {
        LoopAllocator allocator = storage.attach();
        for (int j = 0; j < 20; j++) {
          outside.add(allocator.allocate(4000));
        }
        allocator.detach();
      });
      while (outside.size() > 100) {
        outside.poll().release();
      }
    }
    outside.forEach(ByteBuf::release);
    assertTrue(AllocatorMetrics.reservedInProcess() - before <= 4 << 20);
  }

  @EachStorage
  void onlyTheAttachedThreadAllocatesAndDetaches(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    Threads.elsewhere(() -> {
      assertThrows(IllegalStateException.class, () -> allocator.allocate(1));
      assertThrows(IllegalStateException.class, allocator::detach);
      assertThrows(IllegalStateException.class, allocator::attach);
    });
  }

  @Test
  void detachedAllocatorIsOfNoUseUntilAttachedAgain() {
    LoopAllocator allocator = Storage.ARRAY.attach();
    allocator.detach();
    assertThrows(IllegalStateException.class, () -> allocator.allocate(1));
    assertThrows(IllegalStateException.class, allocator::detach);
    assertEquals(0, allocator.metrics().reserved());
    allocator.attach();
    allocator.allocate(1).release();
    allocator.detach();
  }
}
