package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ByteBufIndexTest extends Buffers {

  @EachStorage
  void newBufferIsEmptyAndHasTheCapacityAskedFor(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(100, 200);
    assertEquals(0, buffer.readerIndex());
    assertEquals(0, buffer.writerIndex());
    assertEquals(0, buffer.readableBytes());
    assertEquals(0, buffer.size());
    assertEquals(100, buffer.writableBytes());
    assertEquals(100, buffer.capacity());
    assertEquals(200, buffer.maxCapacity());
    assertFalse(buffer.isReadable());
    assertEquals(storage == Storage.NATIVE, UnsafeViews.isNative(buffer));
    buffer.release();
  }

  @EachStorage
  void readingAndWritingMoveTheIndices(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    buffer.writeInt(1).writeShort(2);
    assertEquals(6, buffer.writerIndex());
    buffer.readInt();
    assertEquals(4, buffer.readerIndex());
    assertEquals(2, buffer.readableBytes());
    assertEquals(2, buffer.size());
    assertTrue(buffer.isReadable());
    buffer.skip(2);
    assertFalse(buffer.isReadable());
    buffer.release();
  }

  @EachStorage
  void indicesStayInOrder(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    buffer.writerIndex(8).readerIndex(3);
    assertEquals(
        "readerIndex 9 is not between 0 and writerIndex 8",
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.readerIndex(9)).getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.readerIndex(-1));
    assertEquals(
        "writerIndex 2 is not between readerIndex 3 and 16",
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writerIndex(2)).getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writerIndex(17));
    assertEquals(3, buffer.readerIndex());
    assertEquals(8, buffer.writerIndex());
    buffer.release();
  }

  @EachStorage
  void overReadNamesWhatIsReadable(Storage storage) {
    ByteBuf buffer = counting(storage, 6);
    buffer.skip(3);
    IndexOutOfBoundsException e = assertThrows(IndexOutOfBoundsException.class, buffer::readInt);
    assertEquals("cannot read 4 bytes, 3 are readable", e.getMessage());
    assertEquals(3, buffer.readerIndex());
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.skip(4));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.skip(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.readBytes(4));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.readSlice(4));
    buffer.release();
  }

  @EachStorage
  void accessOutsideTheCapacityNamesAllNumbers(Storage storage) {
    ByteBuf buffer = buffer(storage, 10);
    IndexOutOfBoundsException e =
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.getInt(7));
    assertEquals("index 7 with length 4 is outside the capacity 10", e.getMessage());
    for (int index : new int[] {-1, 10, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getByte(index));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.setByte(index, 0));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getShort(index));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.setShort(index, 0));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.setInt(index, 0));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getLong(index));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.setLong(index, 0));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.getLong(3));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.getShort(9));
    buffer.release();
  }

  @EachStorage
  void clearAndDiscardMakeRoom(Storage storage) {
    ByteBuf buffer = counting(storage, 10);
    buffer.skip(7).discardRead();
    assertEquals(0, buffer.readerIndex());
    assertEquals(3, buffer.writerIndex());
    assertEquals(7, buffer.getByte(0));
    assertEquals(9, buffer.getByte(2));
    buffer.clear();
    assertEquals(0, buffer.writerIndex());
    buffer.release();
  }
}
