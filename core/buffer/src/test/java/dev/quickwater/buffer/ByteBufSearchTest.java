package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;

class ByteBufSearchTest extends Buffers {

  /// Few different bytes, so that there are many hits at every distance; 0, 1, 127, 128 and 255 are
  /// where the arithmetic on words could go wrong.
  @EachStorage
  void indexOfAgreesWithAPlainLoop(Storage storage) {
    byte[] values = {0, 1, 127, (byte) 128, (byte) 255, 2};
    Random random = new Random(5);
    ByteBuf buffer = buffer(storage, 64);
    for (int round = 0; round < 3_000; round++) {
      buffer.clear();
      for (int i = 0; i < 40; i++) {
        buffer.writeByte(values[random.nextInt(values.length)]);
      }
      int from = random.nextInt(40);
      int to = from + random.nextInt(41 - from);
      for (byte value : values) {
        int expected = -1;
        for (int i = from; i < to && expected < 0; i++) {
          expected = buffer.getByte(i) == value ? i : -1;
        }
        assertEquals(expected, buffer.indexOf(from, to, value));
      }
    }
    buffer.release();
  }

  @EachStorage
  void hitOutsideTheRangeIsNotFound(Storage storage) {
    ByteBuf buffer = counting(storage, 32);
    assertEquals(-1, buffer.indexOf(0, 20, (byte) 20));
    assertEquals(20, buffer.indexOf(0, 21, (byte) 20));
    assertEquals(-1, buffer.indexOf(21, 32, (byte) 20));
    assertEquals(-1, buffer.indexOf(5, 5, (byte) 5));
    buffer.release();
  }

  @EachStorage
  void bytesBeforeCountsFromTheReaderIndex(Storage storage) {
    ByteBuf buffer = counting(storage, 32);
    buffer.skip(4);
    assertEquals(6, buffer.bytesBefore((byte) 10));
    assertEquals(0, buffer.bytesBefore((byte) 4));
    assertEquals(-1, buffer.bytesBefore((byte) 3));
    buffer.release();
  }

  @EachStorage
  void rangeOutsideTheBufferIsRefused(Storage storage) {
    ByteBuf buffer = counting(storage, 8);
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.indexOf(0, 9, (byte) 1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.indexOf(-1, 4, (byte) 1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.indexOf(4, 3, (byte) 1));
    assertThrows(
        IndexOutOfBoundsException.class, () -> buffer.indexOf(-1, Integer.MAX_VALUE, (byte) 1));
    buffer.release();
  }
}
