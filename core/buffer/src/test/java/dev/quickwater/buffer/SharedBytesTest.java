package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Bytes that two handles see are read-only; bytes that one handle sees are not.
class SharedBytesTest extends Buffers {

  private static List<Executable> writesAt(ByteBuf buffer, int index) {
    return List.of(
        () -> buffer.setByte(index, 1),
        () -> buffer.setShort(index, 1),
        () -> buffer.setInt(index, 1, ByteOrder.LITTLE_ENDIAN),
        () -> buffer.setLong(index, 1),
        () -> buffer.setBytes(index, new byte[3], 0, 3));
  }

  /// Writes at the writer index, which is before bytes that another handle sees.
  private static List<Executable> writes(ByteBuf buffer) {
    return List.of(
        () -> buffer.writeByte(1),
        () -> buffer.writeShort(1),
        () -> buffer.writeMedium(1),
        () -> buffer.writeInt(1, ByteOrder.LITTLE_ENDIAN),
        () -> buffer.writeLong(1),
        () -> buffer.writeBytes(new byte[2]),
        () -> buffer.writeBytes(new byte[2], 1, 1),
        () -> buffer.writeBytes(ByteBuf.wrap(new byte[1])),
        () -> buffer.writeAscii("a"),
        () -> buffer.writeUtf8("\u20ac"),
        () -> buffer.writeUtf8(new StringBuilder("a")),
        () -> buffer.ensureWritable(1),
        () -> Views.write(buffer, 1, ByteBuffer::position));
  }

  private static void areRefused(List<Executable> writes) {
    for (Executable write : writes) {
      IllegalStateException e = assertThrows(IllegalStateException.class, write);
      assertTrue(e.getMessage().contains("read-only"), e.getMessage());
    }
  }

  private static void wants(ByteBuf buffer, int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      assertEquals((byte) bytes[i], buffer.getByte(i));
    }
  }

  @EachStorage
  void bytesOfASliceAreReadOnlyForBothHandles(Storage storage) {
    ByteBuf buffer = counting(storage, 32);
    ByteBuf slice = buffer.slice(8, 8);
    areRefused(writesAt(buffer, 8));
    areRefused(writesAt(buffer, 15));
    areRefused(writesAt(slice, 0));
    areRefused(writes(slice.clear()));
    wants(slice, 8, 9, 10, 11, 12, 13, 14, 15);
    buffer.setByte(16, 99);
    assertEquals(99, buffer.getByte(16));
    assertFalse(buffer.clear().isReadable());
    areRefused(writes(buffer));
    assertEquals(0, buffer.writerIndex());
    slice.release();
    buffer.release();
  }

  @EachStorage
  void bytesThatAreWrittenBehindASliceAreNotShared(Storage storage) {
    ByteBuf buffer = buffer(storage, 64).writeInt(1);
    ByteBuf message = buffer.readSlice(4);
    buffer.writeInt(2).writeUtf8("text").setShort(4, 7);
    buffer.writerIndex(4).writeInt(3);
    assertEquals(1, message.readInt());
    assertEquals(3, buffer.readInt());
    areRefused(List.of(() -> buffer.setInt(1, 9)));
    message.release();
    buffer.setInt(1, 9).release();
  }

  @EachStorage
  void bytesAreWritableOnceTheOtherHandlesAreReleased(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    ByteBuf share = buffer.share();
    ByteBuf slice = share.slice(4, 4);
    areRefused(writesAt(buffer, 0));
    share.release();
    areRefused(writesAt(buffer, 0));
    slice.release();
    buffer.setLong(0, -1).clear().writeLong(5);
    assertEquals(5, buffer.readLong());
    ByteBuf last = buffer.share();
    buffer.release();
    last.setByte(0, 3).clear().writeByte(4);
    assertEquals(4, last.readByte());
    last.release();
  }

  @EachStorage
  void shareCoversTheBytesBeforeTheWriterIndex(Storage storage) {
    ByteBuf buffer = counting(storage, 64).writerIndex(10).skip(3);
    ByteBuf share = buffer.share();
    assertEquals(10, share.capacity());
    assertEquals(10, share.maxCapacity());
    assertEquals(3, share.readerIndex());
    assertEquals(10, share.writerIndex());
    buffer.writeByte(99);
    assertThrows(IndexOutOfBoundsException.class, () -> share.getByte(10));
    assertThrows(IndexOutOfBoundsException.class, () -> share.writeByte(1));
    share.release();
    buffer.release();
  }

  @EachStorage
  void writeOfNothingIsNoWrite(Storage storage) {
    ByteBuf buffer = counting(storage, 8);
    ByteBuf share = buffer.share();
    buffer.clear().writeBytes(new byte[0]).ensureWritable(0).setBytes(3, new byte[0], 0, 0);
    buffer.slice(0, 0).release();
    share.release();
    buffer.writeByte(1);
    ByteBuf empty = buffer.slice(4, 0);
    buffer.setByte(4, 2);
    empty.release();
    buffer.release();
  }

  @EachStorage
  void discardingReadBytesLeavesThemForOtherHandles(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(16);
    buffer.writeLong(0x0102_0304_0506_0708L).writeLong(0x1112_1314_1516_1718L);
    ByteBuf slice = buffer.readSlice(8);
    ByteBuf fixed = slice.share().skip(6);
    buffer.discardRead();
    fixed.discardRead().writeShort(0x7777);
    assertEquals(8, buffer.readableBytes());
    assertEquals(0x0102_0304_0506_0708L, slice.getLong(0));
    assertEquals(0x1112_1314_1516_1718L, buffer.getLong(0));
    assertEquals(0x0708_7777, fixed.readInt());
    assertEquals(8, fixed.capacity());
    assertFalse(buffer.isShared());
    buffer.writeLong(9).setByte(0, 1);
    slice.release();
    fixed.release();
    buffer.release();
  }

  @EachStorage
  void discardingAllReadBytesContinuesBehindThoseOfOtherHandles(Storage storage) {
    ByteBuf buffer = buffer(storage, 64).writeLong(1);
    ByteBuf slice = buffer.readSlice(8);
    ByteBuf ahead = buffer.slice(8, 8);
    buffer.discardRead();
    assertEquals(48, buffer.capacity());
    buffer.writeLong(2);
    ahead.skip(4).discardRead().writeInt(5);
    assertEquals(1, slice.readLong());
    assertEquals(2, buffer.readLong());
    ahead.release();
    slice.release();
    buffer.release();
  }

  @EachStorage
  void splitGivesTheReadableBytesAwayAndContinuesBehindThem(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(64, 100).writeLong(1).writeInt(2);
    buffer.skip(8);
    ByteBuf part = buffer.split();
    assertEquals(0, buffer.readerIndex());
    assertEquals(0, buffer.writerIndex());
    assertEquals(52, buffer.capacity());
    assertEquals(100, buffer.maxCapacity());
    buffer.writeInt(3).setByte(0, 9);
    part.setInt(0, 7).clear().writeShort(8);
    assertThrows(IndexOutOfBoundsException.class, () -> part.writeInt(1));
    assertEquals(4, part.capacity());
    assertEquals(0x0900_0003, buffer.readInt());
    buffer.writeBytes(new byte[90]);
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(new byte[7]));
    buffer.release();
    assertEquals(8, part.readShort());
    part.release();
  }

  @EachStorage
  void bytesSeenByOthersStayReadOnlyAcrossASplit(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    ByteBuf slice = buffer.slice(4, 4);
    ByteBuf ahead = buffer.slice(12, 2);
    buffer.writerIndex(10);
    ByteBuf part = buffer.split();
    areRefused(writesAt(part, 7).subList(0, 1));
    areRefused(writesAt(buffer, 3).subList(0, 2));
    areRefused(writes(buffer).subList(0, 2));
    buffer.setShort(4, 0x7777);
    slice.release();
    ahead.release();
    areRefused(writesAt(part, 7).subList(0, 1));
    buffer.release();
    part.setByte(7, 1).release();
  }

  @EachStorage
  void splittingForEverKeepsTheCapacity(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(4096);
    byte[] bytes = new byte[1000];
    for (int i = 0; i < 100_000; i++) {
      buffer.writeBytes(bytes).writeInt(i);
      ByteBuf part = buffer.split();
      assertEquals(i, part.getInt(1000));
      part.release();
      assertTrue(buffer.capacity() <= 8192);
      assertTrue(allocator.metrics().used() <= 8192);
    }
    buffer.release();
  }

  @EachStorage
  void restOfASplitGrowsInPlaceUpToTheEndOfItsBlock(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(100).writeBytes(new byte[100]);
    long used = allocator.metrics().used();
    ByteBuf part = buffer.split();
    buffer.ensureWritable(12);
    assertEquals(12, buffer.capacity());
    assertEquals(used, allocator.metrics().used());
    buffer.writeBytes(new byte[12]).writeByte(7);
    assertTrue(allocator.metrics().used() > used);
    assertFalse(part.isShared());
    assertEquals(7, buffer.getByte(12));
    part.release();
    buffer.release();
  }

  @Test
  void bytesOfAWrappedArrayThatWereGivenAwayStayReadOnly() {
    byte[] array = {1, 2, 3, 4};
    ByteBuf buffer = ByteBuf.wrap(array);
    ByteBuf slice = buffer.readSlice(2);
    areRefused(writesAt(buffer, 0).subList(0, 1));
    slice.release();
    areRefused(writesAt(buffer, 1).subList(0, 1));
    buffer.setShort(2, 0x0506);
    assertArrayEquals(new byte[] {1, 2, 5, 6}, array);
    buffer.discardRead().writeByte(7);
    assertEquals(4, buffer.capacity());
    assertEquals(0x0506_07, buffer.readUnsignedMedium());
    assertArrayEquals(new byte[] {1, 2, 5, 6}, array);
  }
}
