package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
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

  private static byte[] expected(int from, int last) {
    byte[] bytes = new byte[last + 1 - from];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return bytes;
  }

  /// A match must not be taken from bytes that are read along with the range.
  @EachStorage
  void shortRangesAreExactAtEveryPlace(Storage storage) {
    ByteBuf buffer = buffer(storage, 24).writeBytes(new byte[24]);
    for (int at = 0; at < 24; at++) {
      buffer.setByte(at, 7);
      for (int from = 0; from <= 24; from++) {
        for (int to = from; to <= 24; to++) {
          assertEquals(from <= at && at < to ? at : -1, buffer.indexOf(from, to, (byte) 7));
        }
      }
      buffer.setByte(at, 0);
    }
    buffer.release();
  }

  /// The only hit is at each place of words and blocks in turn, and just outside of the range.
  @EachStorage
  void longRangesAreExactAtEveryPlace(Storage storage) {
    ByteBuf buffer = buffer(storage, 140).writeBytes(new byte[140]);
    for (int at = 0; at < 140; at++) {
      buffer.setByte(at, 0x80);
      for (int from = 0; from <= 140; from += from < 20 ? 1 : 13) {
        for (int to = 140; to >= from; to -= to > 100 ? 1 : 9) {
          int expected = from <= at && at < to ? at : -1;
          assertEquals(expected, buffer.indexOf(from, to, (byte) 0x80));
        }
      }
      buffer.setByte(at, 0);
    }
    buffer.release();
  }

  @EachStorage
  void forEachByteShowsTheRangeInOrderAndStops(Storage storage) {
    ByteBuf buffer = counting(storage, 40);
    for (int from = 0; from < 20; from++) {
      for (int stop = from; stop < 40; stop++) {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        int last = stop;
        int at =
            buffer.forEachByte(
                from,
                40,
                value -> {
                  seen.write(value);
                  return value != last;
                });
        assertEquals(stop, at);
        assertArrayEquals(expected(from, stop), seen.toByteArray());
      }
    }
    assertEquals(-1, buffer.forEachByte(3, 38, _ -> true));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.forEachByte(0, 41, _ -> true));
    buffer.release();
  }

  @EachStorage
  void processorThatReleasesTheBufferIsStopped(Storage storage) {
    ByteBuf buffer = counting(storage, 40);
    assertThrows(
        IllegalStateException.class,
        () ->
            buffer.forEachByte(
                0,
                40,
                value -> {
                  if (value == 9) {
                    buffer.release();
                  }
                  return true;
                }));
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
