package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.PageSource;
import org.junit.jupiter.api.Test;

/// Alignment, arrays on request, and buffers that are not pooled.
class AllocatorKindsTest extends Buffers {

  @EachStorage
  void alignedBuffersBeginAtACacheLineAndStayThereWhenTheyGrow(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    for (int capacity = 0; capacity < 3_000; capacity += 7) {
      ByteBuf other = allocator.allocate(capacity);
      ByteBuf buffer = allocator.allocateAligned(capacity, 1 << 20);
      assertEquals(capacity, buffer.capacity());
      for (int i = 0; i < 4; i++) {
        if (UnsafeViews.isNative(buffer)) {
          assertEquals(0, UnsafeViews.address(buffer, 0) % ByteBufAllocator.ALIGNMENT);
        }
        buffer.ensureWritable(buffer.capacity() + 1).writerIndex(buffer.capacity());
      }
      buffer.release();
      other.release();
    }
  }

  @EachStorage
  void sharedAllocatorAlignsToo(Storage storage) {
    ByteBuf buffer = storage.shared().allocateAligned(100, 100);
    assertEquals(100, buffer.capacity());
    if (UnsafeViews.isNative(buffer)) {
      assertEquals(0, UnsafeViews.address(buffer, 0) % ByteBufAllocator.ALIGNMENT);
    }
    buffer.release();
  }

  @Test
  void arraysAreArraysWhateverIsGranted() {
    ByteBuf buffer = ByteBufAllocator.arrays().allocate(100);
    assertFalse(UnsafeViews.isNative(buffer));
    buffer.release();
    LoopAllocator loop = LoopAllocator.ofArrays();
    loop.attach();
    ByteBuf mine = loop.allocate(100);
    assertFalse(UnsafeViews.isNative(mine));
    mine.release();
    loop.detach();
  }

  @Test
  void unpooledBuffersHaveArraysOfTheirOwnThatGrow() {
    ByteBufAllocator allocator = ByteBufAllocator.unpooled();
    long used = allocator.metrics().used();
    ByteBuf buffer = allocator.allocate(10).writeBytes(new byte[10]);
    assertEquals(10, UnsafeViews.array(buffer).length);
    byte[] first = UnsafeViews.array(buffer);
    buffer.writeLong(5);
    assertNotSame(first, UnsafeViews.array(buffer));
    assertEquals(20, UnsafeViews.array(buffer).length);
    assertEquals(20, allocator.metrics().used() - used);
    assertEquals(5, buffer.getLong(10));
    buffer.release();
    assertEquals(used, allocator.metrics().used());
    assertThrows(IllegalStateException.class, buffer::release);
  }

  @Test
  void unpooledBufferMayBeEmpty() {
    ByteBuf buffer = ByteBufAllocator.unpooled().allocate(0);
    assertEquals(0, buffer.capacity());
    buffer.writeInt(1);
    assertEquals(1, buffer.readInt());
    buffer.release();
  }

  @Test
  void totalsCountEveryAllocatorOfAKind() {
    PageSource.of(false).trim(); // what is idle counts as reserved before it is used again
    long used = AllocatorMetrics.total(false).used();
    ByteBuf huge = ByteBufAllocator.arrays().allocate(3 << 20);
    ByteBuf own = ByteBufAllocator.unpooled().allocate(1_000);
    assertEquals((3 << 20) + 1_000, AllocatorMetrics.total(false).used() - used);
    ByteBuf other = ByteBufAllocator.arrays().allocate(4 << 20);
    AllocatorMetrics total = AllocatorMetrics.total(false);
    assertEquals((7 << 20) + 1_000, total.used() - used);
    assertTrue(total.reserved() >= total.used(), total.toString());
    other.release();
    own.release();
    huge.release();
    assertEquals(used, AllocatorMetrics.total(false).used());
  }
}
