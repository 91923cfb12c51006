package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.testkit.Threads;
import java.nio.charset.StandardCharsets;

class ByteBufGrowthTest extends Buffers {

  @EachStorage
  void writesGrowTheBufferAndKeepTheBytes(Storage storage) {
    ByteBuf buffer = buffer(storage, 0);
    for (int i = 0; i < 100_000; i++) {
      buffer.writeByte(i);
    }
    buffer.writeShort(1).writeMedium(2).writeInt(3).writeLong(4);
    for (int i = 0; i < 100_000; i++) {
      assertEquals((byte) i, buffer.readByte());
    }
    assertEquals(1, buffer.readShort());
    assertEquals(2, buffer.readUnsignedMedium());
    assertEquals(3, buffer.readInt());
    assertEquals(4, buffer.readLong());
    buffer.release();
  }

  @EachStorage
  void growthGoesIntoHugeBlocks(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    buffer.writeLong(7);
    buffer.ensureWritable(3 << 20);
    assertEquals(7, buffer.readLong());
    assertTrue(buffer.writableBytes() >= 3 << 20);
    buffer.setByte(buffer.capacity() - 1, 1);
    buffer.release();
  }

  @EachStorage
  void growthUsesTheWholeBlock(Storage storage) {
    ByteBuf buffer = buffer(storage, 100);
    buffer.ensureWritable(110);
    assertEquals(112, buffer.capacity());
    buffer.ensureWritable(130);
    assertEquals(256, buffer.capacity());
    buffer.release();
  }

  @EachStorage
  void growthStopsAtTheMaximum(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(4, 10);
    buffer.writeLong(1);
    assertEquals(10, buffer.capacity());
    IndexOutOfBoundsException e =
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeInt(1));
    assertEquals("cannot write 4 bytes at 8, the maximum capacity is 10", e.getMessage());
    assertEquals(8, buffer.writerIndex());
    buffer.writeShort(2);
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeByte(1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.ensureWritable(1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.ensureWritable(Integer.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> buffer.ensureWritable(-1));
    buffer.release();
  }

  @EachStorage
  void otherHandlesKeepTheOldMemory(Storage storage) {
    ByteBuf buffer = counting(storage, 64);
    ByteBuf slice = buffer.slice(10, 4);
    assertTrue(buffer.isShared());
    buffer.ensureWritable(1000);
    assertFalse(buffer.isShared());
    buffer.setByte(10, 99);
    assertEquals(10, slice.getByte(0));
    buffer.release();
    assertEquals(10, slice.getByte(0));
    slice.release();
  }

  @EachStorage
  void growthOnAThreadThatIsNotTheOwnerTakesSharedMemory(Storage storage) throws Exception {
    long usedBefore = storage.shared().metrics().used();
    ByteBuf buffer = counting(storage, 64);
    Threads.elsewhere(() -> {
      buffer.ensureWritable(1000);
      assertEquals(63, buffer.getByte(63));
    });
    assertTrue(storage.shared().metrics().used() > usedBefore);
    buffer.release();
    assertEquals(usedBefore, storage.shared().metrics().used());
  }

  @EachStorage
  void sharesAndSlicesDoNotGrow(Storage storage) {
    ByteBuf buffer = counting(storage, 8);
    ByteBuf share = buffer.share();
    ByteBuf slice = buffer.slice(2, 4);
    assertThrows(IndexOutOfBoundsException.class, () -> share.writeByte(1));
    assertThrows(IndexOutOfBoundsException.class, () -> slice.writeByte(1));
    share.release();
    slice.release();
    buffer.release();
  }

  @EachStorage
  void largestCapacityIsAGibibyte(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    assertEquals(
        "capacity 1073741825 is not between 0 and the maximum 1073741824",
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate((1 << 30) + 1))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> allocator.allocate(-1));
    assertThrows(IllegalArgumentException.class, () -> allocator.allocate(5, 4));
    ByteBuf buffer = allocator.allocate(8, Integer.MAX_VALUE);
    assertEquals(1 << 30, buffer.maxCapacity());
    buffer.release();
  }

  @EachStorage
  void failedGrowthLeavesTheBufferAsItWas(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(4, 8);
    buffer.writeBytes("abcd".getBytes(StandardCharsets.US_ASCII));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeUtf8("too long"));
    assertEquals("abcd", buffer.toString(StandardCharsets.US_ASCII));
    buffer.release();
  }

  /// Code that runs inside an allocation may release the buffer that grows.
  @EachStorage
  void bufferThatIsReleasedWhileItGrowsStaysReleased(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(16);
    Heaps.probe(buffer::release);
    assertThrows(IllegalStateException.class, () -> buffer.ensureWritable(1000));
    Heaps.probe(null);
    assertFalse(buffer.isLive());
    assertEquals(0, allocator.metrics().used());
  }
}
