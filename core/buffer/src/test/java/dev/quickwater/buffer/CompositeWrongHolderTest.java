package dev.quickwater.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.function.Executable;

/// Another holder releases, splits or grows parts that the composite buffer owns. A read returns
/// the right byte or throws; it never returns a byte outside the part.
class CompositeWrongHolderTest extends Buffers {

  private static final long SEED = 9;

  private static ByteBuf part(LoopAllocator allocator, int from, int length) {
    ByteBuf part = allocator.allocate(length, 1 << 12);
    for (int i = 0; i < length; i++) {
      part.writeByte(from + i);
    }
    return part;
  }

  @EachStorage
  void failedReadAcrossABorderLeavesTheNextReadsInTheirPart(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf third = part(allocator, 8, 1);
    CompositeByteBuf composite =
        CompositeByteBuf.of(
            part(allocator, 0, 7), part(allocator, 7, 1), third, part(allocator, 9, 8));
    assertEquals(0, composite.readByte());
    third.release();
    assertThrows(IllegalStateException.class, composite::readLong);
    assertEquals(1, composite.readerIndex());
    for (int i = 1; i < 8; i++) {
      assertEquals(i, composite.readByte());
    }
    assertThrows(IllegalStateException.class, composite::readByte);
    assertThrows(IllegalStateException.class, composite::readShort);
    assertEquals(8, composite.readerIndex());
    composite.readerIndex(9);
    assertEquals(0x090a_0b0c_0d0e_0f10L, composite.readLong());
    assertThrows(IllegalStateException.class, composite::release);
  }

  @EachStorage
  void partThatAnotherHolderHasSplitIsNotReadBeyondItsEnd(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf part = part(allocator, 0, 32);
    ByteBuf neighbour = part(allocator, 64, 32);
    CompositeByteBuf composite = CompositeByteBuf.of(part);
    assertEquals(0, composite.readByte());
    part.split().release();
    List<Executable> reads =
        List.of(composite::readByte, composite::readShort, composite::readInt, composite::readLong);
    for (Executable read : reads) {
      assertEquals(
          "another holder split a part of the composite buffer, which has 0 bytes left",
          assertThrows(IllegalStateException.class, read).getMessage());
    }
    assertEquals(1, composite.readerIndex());
    composite.release();
    neighbour.release();
  }

  @EachStorage
  void everyReadGivesItsBytesOrFailsWhateverHappensToParts(Storage storage) {
    for (int round = 0; round < 400; round++) {
      new Round(allocator(storage), new Random(SEED + round), "seed " + (SEED + round)).run();
    }
  }

  /// Each byte equals its index in the composite buffer; the memory around the parts has another
  /// value.
  private static final class Round {

    private static final byte GUARD = (byte) 0xee;

    private final Random random;
    private final String message;
    private final List<ByteBuf> parts = new ArrayList<>();
    private final List<ByteBuf> guards = new ArrayList<>();
    private final byte[] model;
    private final CompositeByteBuf composite;

    Round(LoopAllocator allocator, Random random, String message) {
      this.random = random;
      this.message = message;
      int at = 0;
      while (at < 60) {
        int length = random.nextInt(random.nextBoolean() ? 3 : 20);
        guards.add(guard(allocator));
        parts.add(part(allocator, at, length));
        at += length;
      }
      guards.add(guard(allocator));
      this.model = new byte[at];
      for (int i = 0; i < at; i++) {
        model[i] = (byte) i;
      }
      this.composite = CompositeByteBuf.of(parts.toArray(ByteBuf[]::new));
    }

    private static ByteBuf guard(LoopAllocator allocator) {
      ByteBuf guard = allocator.allocate(16);
      for (int i = 0; i < 16; i++) {
        guard.writeByte(GUARD);
      }
      return guard;
    }

    void run() {
      for (int step = 0; step < 80; step++) {
        if (random.nextInt(6) == 0) {
          disturb(parts.get(random.nextInt(parts.size())));
        }
        int before = composite.readerIndex();
        try {
          read();
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
          assertEquals(before, composite.readerIndex(), message);
        }
      }
      try {
        composite.release();
      } catch (IllegalStateException e) {
        assertEquals("the buffer was released", e.getMessage(), message);
      }
      guards.forEach(ByteBuf::release);
    }

    private void disturb(ByteBuf part) {
      if (!part.isLive()) {
        return;
      }
      switch (random.nextInt(4)) {
        case 0 -> part.release();
        case 1 -> part.ensureWritable(100);
        case 2 -> part.writeByte(GUARD);
        default -> part.share().release();
      }
    }

    private void read() {
      int index = composite.readerIndex();
      switch (random.nextInt(9)) {
        case 0, 1 -> assertEquals(value(index, 1), composite.readByte() & 0xffL, message);
        case 2 -> assertEquals(value(index, 2), composite.readShort() & 0xffffL, message);
        case 3 -> assertEquals(value(index, 4), composite.readInt() & 0xffff_ffffL, message);
        case 4, 5 -> assertEquals(value(index, 8), composite.readLong(), message);
        case 6 -> {
          int length = random.nextInt(12);
          byte[] bytes = composite.readBytes(length);
          byte[] expected = new byte[length];
          System.arraycopy(model, index, expected, 0, length);
          assertArrayEquals(expected, bytes, message);
        }
        case 7 -> {
          String text = composite.readString(3, ISO_8859_1);
          assertEquals(new String(model, index, 3, ISO_8859_1), text, message);
        }
        default -> composite.readerIndex(random.nextInt(model.length + 1));
      }
    }

    /// The value that a successful read must return.
    private long value(int index, int width) {
      long value = 0;
      for (int i = index; i < index + width; i++) {
        value = value << 8 | (i < model.length ? model[i] & 0xff : 0);
      }
      return value;
    }
  }
}
