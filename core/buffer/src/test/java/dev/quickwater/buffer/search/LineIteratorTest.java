package dev.quickwater.buffer.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.buffer.Buffers;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.EachStorage;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.Storage;
import java.util.Random;

class LineIteratorTest extends Buffers {

  private static final long SEED = 64;

  @EachStorage
  void linesAreThoseOfIndexOf(Storage storage) {
    Random random = new Random(SEED);
    LoopAllocator allocator = allocator(storage);
    byte[] values = {'\n', 'a', '\n' + 1, '\n' - 1, (byte) ('\n' | 0x80), '\r', 0};
    for (int round = 0; round < 3_000; round++) {
      int length = random.nextInt(300);
      int kinds = 1 + random.nextInt(values.length);
      ByteBuf buffer = allocator.allocate(length);
      for (int i = 0; i < length; i++) {
        buffer.writeByte(random.nextInt(20) < 10 ? 'a' : values[random.nextInt(kinds)]);
      }
      int from = random.nextInt(length + 1);
      int to = from + random.nextInt(length - from + 1);
      LineIterator lines = new LineIterator(buffer, from, to);
      int start = from;
      String message = "seed " + SEED + ", round " + round;
      while (true) {
        int expected = buffer.indexOf(start, to, (byte) '\n');
        assertEquals(expected, lines.next(), message);
        assertEquals(start, lines.start(), message);
        if (expected < 0) {
          break;
        }
        start = expected + 1;
      }
      assertEquals(-1, lines.next(), message);
      assertEquals(start, lines.start(), message);
      buffer.release();
    }
  }

  @EachStorage
  void rangeOutsideTheBufferIsRefused(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    assertThrows(IndexOutOfBoundsException.class, () -> new LineIterator(buffer, 0, 17));
    assertThrows(IndexOutOfBoundsException.class, () -> new LineIterator(buffer, -1, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> new LineIterator(buffer, 4, 3));
    buffer.release();
  }

  @EachStorage
  void releasedBufferIsNotRead(Storage storage) {
    ByteBuf buffer = counting(storage, 200);
    LineIterator lines = new LineIterator(buffer, 0, 200);
    assertEquals(10, lines.next());
    buffer.release();
    assertThrows(IllegalStateException.class, lines::next);
  }
}
