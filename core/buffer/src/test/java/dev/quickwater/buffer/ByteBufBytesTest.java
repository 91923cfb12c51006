package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ByteBufBytesTest extends Buffers {

  @EachStorage
  void arraysAreCopiedInAndOut(Storage storage) {
    ByteBuf buffer = buffer(storage, 8);
    buffer.writeBytes(new byte[] {1, 2, 3}).writeBytes(new byte[] {3, 4, 5, 6}, 1, 2);
    byte[] target = new byte[7];
    buffer.readBytes(target, 1, 2);
    assertArrayEquals(new byte[] {0, 1, 2, 0, 0, 0, 0}, target);
    assertArrayEquals(new byte[] {3, 4, 5}, buffer.readBytes(3));
    buffer.setBytes(1, new byte[] {9, 8, 7}, 1, 2);
    buffer.copyToArray(0, target, 0, 3);
    assertArrayEquals(new byte[] {1, 8, 7, 0, 0, 0, 0}, target);
    buffer.release();
  }

  @EachStorage
  void rangesOutsideTheArrayAreRefused(Storage storage) {
    ByteBuf buffer = counting(storage, 8);
    byte[] array = new byte[4];
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.copyToArray(0, array, 2, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.setBytes(0, array, -1, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(array, 0, -1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.readBytes(array, 0, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.readBytes(-1));
    assertEquals(0, buffer.readerIndex());
    buffer.release();
  }

  @Test
  void bytesAreCopiedBetweenAllKinds() {
    Storage.all()
        .forEach(from ->
            Storage.all()
                .forEach(to -> {
                  ByteBuf source = counting(from, 300);
                  ByteBuf target = buffer(to, 16);
                  source.skip(10);
                  target.writeBytes(source, 200);
                  assertEquals(210, source.readerIndex());
                  assertEquals(200, target.readableBytes());
                  assertEquals(10, target.getByte(0));
                  assertEquals((byte) 209, target.getByte(199));
                  target.writeBytes(source);
                  assertEquals(290, target.readableBytes());
                  assertThrows(IndexOutOfBoundsException.class, () -> target.writeBytes(source, 1));
                  source.release();
                  target.release();
                }));
  }

  @EachStorage
  void bufferCanBeAppendedToItself(Storage storage) {
    ByteBuf buffer = counting(storage, 64);
    buffer.writeBytes(buffer, 64);
    assertEquals(64, buffer.readableBytes());
    assertEquals(63, buffer.getByte(127));
    buffer.release();
  }

  @EachStorage
  void copyIsIndependent(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    buffer.skip(4);
    ByteBuf copy = buffer.copy();
    buffer.setByte(4, 99);
    assertEquals(12, copy.readableBytes());
    assertEquals(4, copy.getByte(0));
    assertEquals(4, buffer.readerIndex());
    buffer.release();
    assertEquals(15, copy.getByte(11));
  }

  @Test
  void wrappedArrayIsSeenThrough() {
    byte[] array = {1, 2, 3, 4, 5};
    ByteBuf buffer = ByteBuf.wrap(array, 1, 3);
    assertEquals(3, buffer.readableBytes());
    array[1] = 9;
    assertEquals(9, buffer.getByte(0));
    buffer.setByte(2, 8);
    assertEquals(8, array[3]);
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeByte(1));
    assertThrows(IndexOutOfBoundsException.class, () -> ByteBuf.wrap(array, 3, 3));
  }

  @Test
  void emptyBufferIsNewEachTime() {
    assertNotSame(ByteBuf.wrap(), ByteBuf.wrap());
    assertEquals(0, ByteBuf.wrap().readableBytes());
    assertThrows(IndexOutOfBoundsException.class, () -> ByteBuf.wrap().writeByte(1));
  }

  @EachStorage
  void describesItself(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    buffer.skip(3);
    assertTrue(buffer.toString().endsWith(", reader 3, writer 16, capacity 16]"));
    buffer.release();
  }

  @EachStorage
  void bytesOfAnotherBufferAreWrittenFromAnIndex(Storage storage) {
    ByteBuf source = counting(storage, 16).skip(3);
    ByteBuf buffer = buffer(storage, 4);
    buffer.writeBytes(source, 1, 10).writeBytes(buffer, 2, 3);
    assertEquals(3, source.readerIndex());
    assertEquals(13, buffer.writerIndex());
    assertEquals(1, buffer.getByte(0));
    assertEquals(0x0304_05, buffer.skip(10).readUnsignedMedium());
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(source, 10, 7));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(source, -1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(source, 1, -1));
    source.release();
    assertThrows(IllegalStateException.class, () -> buffer.writeBytes(source, 0, 1));
    buffer.release();
  }

  @EachStorage
  void fillSetsARangeAndNoMore(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    assertSame(buffer, buffer.fill(3, 10, 0x1ff));
    assertEquals(2, buffer.getByte(2));
    for (int i = 3; i < 13; i++) {
      assertEquals(-1, buffer.getByte(i));
    }
    assertEquals(13, buffer.getByte(13));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.fill(10, 7, 0));
    ByteBuf slice = buffer.slice(0, 4);
    assertThrows(IllegalStateException.class, () -> buffer.fill(3, 2, 0));
    buffer.fill(4, 12, 0).fill(0, 0, 5);
    assertEquals(-1, slice.getByte(3));
    slice.release();
    buffer.release();
  }

  @EachStorage
  void unsignedIntegersHaveThirtyTwoBits(Storage storage) {
    ByteBuf buffer = buffer(storage, 8).writeInt(-2).writeInt(7);
    assertEquals(0xffff_fffeL, buffer.getUnsignedInt(0));
    assertEquals(0xffff_fffeL, buffer.readUnsignedInt());
    assertEquals(7, buffer.readUnsignedInt());
    assertThrows(IndexOutOfBoundsException.class, buffer::readUnsignedInt);
    buffer.release();
  }
}
