package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.buffer.allocation.PageSource;

/// Handles without bytes at the end of their block, where the next block begins.
class SplitAtTheEndTest extends Buffers {

  private static final int BLOCK = 64;

  private static ByteBuf full(LoopAllocator allocator, int value) {
    return allocator.allocate(BLOCK).fill(0, BLOCK, value).writerIndex(BLOCK);
  }

  @EachStorage
  void emptyRestNeitherHoldsNorFreesTheNextBlock(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf rest = full(allocator, 1);
    ByteBuf next = full(allocator, 2);
    ByteBuf front = rest.split();
    assertEquals(0, rest.capacity());
    ByteBuf empty = front.slice(BLOCK, 0);
    empty.release();
    front.release();
    rest.release();
    ByteBuf reuse = full(allocator, 3);
    assertEquals(2, next.getByte(0));
    assertEquals(2, next.getByte(BLOCK - 1));
    next.release();
    reuse.release();
  }

  @EachStorage
  void emptyRestGrowsIntoAnotherBlockOnly(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf rest = full(allocator, 1);
    ByteBuf next = full(allocator, 2);
    ByteBuf front = rest.split();
    rest.writeByte(9);
    assertEquals(9, rest.readByte());
    for (int i = 0; i < BLOCK; i++) {
      assertEquals(1, front.getByte(i));
      assertEquals(2, next.getByte(i));
    }
    rest.release();
    next.release();
    front.release();
  }

  @EachStorage
  void emptyRestCanBeSharedSplitAndCleared(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf rest = full(allocator, 1);
    ByteBuf front = rest.split();
    rest.clear().discardRead();
    ByteBuf share = rest.share();
    ByteBuf second = rest.split();
    assertEquals(0, share.capacity());
    assertEquals(0, second.capacity());
    assertThrows(IndexOutOfBoundsException.class, () -> share.writeByte(1));
    assertThrows(IndexOutOfBoundsException.class, () -> rest.getByte(0));
    share.release();
    second.release();
    front.release();
    rest.writeByte(7);
    assertEquals(7, rest.readByte());
    rest.release();
  }

  /// A large block has a region to itself, behind which there is none.
  @EachStorage
  void restAtTheEndOfALargeBlockIsReleasedLikeAnyOther(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    int size = PageSource.roundUp(300_000);
    ByteBuf rest = allocator.allocate(size);
    ByteBuf front = rest.writerIndex(size).split();
    rest.release();
    front.release();
  }
}
