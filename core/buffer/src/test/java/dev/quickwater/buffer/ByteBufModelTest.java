package dev.quickwater.buffer;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;

/// Random sequences of all accessors beside a plain array that does the same byte by byte. A
/// failure prints the seed and the number of the operation.
class ByteBufModelTest extends Buffers {

  private static final long SEED = 20_261;
  private static final int OPERATIONS = 30_000;
  private static final int CAPACITY = 97;

  private final Random random = new Random(SEED);
  private final byte[] model = new byte[CAPACITY];
  private int reader;
  private int writer;

  /// Whether slices are created during the test. Their bytes must be writable again after their
  /// release.
  private boolean slices = true;

  private void put(int index, long value, int width, ByteOrder order) {
    for (int i = 0; i < width; i++) {
      int shift = 8 * (order == BIG_ENDIAN ? width - 1 - i : i);
      model[index + i] = (byte) (value >>> shift);
    }
  }

  /// The unsigned value, but for eight bytes.
  private long take(int index, int width, ByteOrder order) {
    long value = 0;
    for (int i = 0; i < width; i++) {
      int at = order == BIG_ENDIAN ? i : width - 1 - i;
      value = value << 8 | model[index + at] & 0xff;
    }
    return value;
  }

  private long takeSigned(int index, int width, ByteOrder order) {
    int shift = 64 - 8 * width;
    return take(index, width, order) << shift >> shift;
  }

  private void get(ByteBuf b, int i, int width, ByteOrder order) {
    boolean plain = order == BIG_ENDIAN && random.nextBoolean();
    long expected = takeSigned(i, width, order);
    switch (width) {
      case 1 -> {
        assertEquals(expected, b.getByte(i));
        assertEquals(take(i, 1, order), b.getUnsignedByte(i));
      }
      case 2 -> {
        assertEquals(expected, plain ? b.getShort(i) : b.getShort(i, order));
        assertEquals(take(i, 2, BIG_ENDIAN), b.getUnsignedShort(i));
      }
      case 4 -> assertEquals(expected, plain ? b.getInt(i) : b.getInt(i, order));
      case 8 -> assertEquals(expected, plain ? b.getLong(i) : b.getLong(i, order));
      default -> b.requireLive();
    }
  }

  private void set(ByteBuf b, int i, int width, ByteOrder order, long value) {
    boolean plain = order == BIG_ENDIAN && random.nextBoolean();
    ByteBuf same =
        switch (width) {
          case 1 -> b.setByte(i, (int) value);
          case 2 -> plain ? b.setShort(i, (int) value) : b.setShort(i, (int) value, order);
          case 4 -> plain ? b.setInt(i, (int) value) : b.setInt(i, (int) value, order);
          case 8 -> plain ? b.setLong(i, value) : b.setLong(i, value, order);
          default -> b;
        };
    assertSame(b, same);
    if (width != 3) {
      put(i, value, width, order);
    }
  }

  private void read(ByteBuf b, int width, ByteOrder order) {
    boolean plain = order == BIG_ENDIAN && random.nextBoolean();
    boolean unsigned = random.nextBoolean();
    long expected = takeSigned(reader, width, order);
    switch (width) {
      case 1 -> {
        long value = unsigned ? (byte) b.readUnsignedByte() : b.readByte();
        assertEquals(expected, value);
      }
      case 2 -> {
        if (unsigned) {
          assertEquals(take(reader, 2, BIG_ENDIAN), b.readUnsignedShort());
        } else {
          assertEquals(expected, plain ? b.readShort() : b.readShort(order));
        }
      }
      case 3 ->
          assertEquals(
              take(reader, 3, order), plain ? b.readUnsignedMedium() : b.readUnsignedMedium(order));
      case 4 -> assertEquals(expected, plain ? b.readInt() : b.readInt(order));
      default -> assertEquals(expected, plain ? b.readLong() : b.readLong(order));
    }
    reader += width;
  }

  private void write(ByteBuf b, int width, ByteOrder order, long value) {
    boolean plain = order == BIG_ENDIAN && random.nextBoolean();
    int low = (int) value;
    switch (width) {
      case 1 -> b.writeByte(low);
      case 2 -> b = plain ? b.writeShort(low) : b.writeShort(low, order);
      case 3 -> b = plain ? b.writeMedium(low) : b.writeMedium(low, order);
      case 4 -> b = plain ? b.writeInt(low) : b.writeInt(low, order);
      default -> b = plain ? b.writeLong(value) : b.writeLong(value, order);
    }
    put(writer, value, width, order);
    writer += width;
  }

  private void bytes(ByteBuf b, int index, int length) {
    byte[] some = new byte[length + 3];
    random.nextBytes(some);
    b.setBytes(index, some, 2, length);
    System.arraycopy(some, 2, model, index, length);
    byte[] back = new byte[length + 1];
    b.copyToArray(index, back, 1, length);
    for (int i = 0; i < length; i++) {
      assertEquals(model[index + i], back[i + 1]);
    }
    byte value = (byte) random.nextInt();
    int found = -1;
    for (int i = index; i < index + length && found < 0; i++) {
      found = model[i] == value ? i : -1;
    }
    assertEquals(found, b.indexOf(index, index + length, value));
    assertEquals(found, b.forEachByte(index, index + length, each -> each != value));
  }

  private void readMany(ByteBuf b, int length) {
    String text = new String(model, reader, length, ISO_8859_1);
    switch (random.nextInt(slices ? 4 : 2)) {
      case 0 -> assertEquals(text, b.readString(length, ISO_8859_1));
      case 1 -> assertEquals(text, new String(b.readBytes(length), ISO_8859_1));
      case 2 -> {
        ByteBuf slice = b.readSlice(length);
        assertEquals(text, slice.toString(ISO_8859_1));
        slice.release();
      }
      default -> b.skip(length);
    }
    reader += length;
  }

  private void writeMany(ByteBuf b, int length) {
    byte[] some = new byte[length];
    random.nextBytes(some);
    switch (random.nextInt(3)) {
      case 0 -> b.writeBytes(some);
      case 1 -> b.writeBytes(some, 0, length);
      default -> b.writeBytes(ByteBuf.wrap(some));
    }
    System.arraycopy(some, 0, model, writer, length);
    writer += length;
  }

  private void moveIndices(ByteBuf b) {
    switch (random.nextInt(4)) {
      case 0 -> {
        b.discardRead();
        System.arraycopy(model, reader, model, 0, writer - reader);
        writer -= reader;
        reader = 0;
      }
      case 1 -> {
        b.clear();
        reader = 0;
        writer = 0;
      }
      case 2 -> {
        reader = random.nextInt(writer + 1);
        b.readerIndex(reader);
      }
      default -> {
        writer = reader + random.nextInt(CAPACITY - reader + 1);
        b.writerIndex(writer);
      }
    }
  }

  private void outside(ByteBuf b, int width, ByteOrder order) {
    int index = random.nextBoolean() ? CAPACITY - width + 1 : -1 - random.nextInt(9);
    String message =
        "index " + index + " with length " + width + " is outside the capacity " + CAPACITY;
    Executable[] accesses =
        switch (width) {
          case 1 -> new Executable[] {() -> b.getByte(index), () -> b.setByte(index, 1)};
          case 2 -> new Executable[] {() -> b.getShort(index), () -> b.setShort(index, 1, order)};
          case 4 -> new Executable[] {() -> b.getInt(index, order), () -> b.setInt(index, 1)};
          case 8 -> new Executable[] {() -> b.getLong(index), () -> b.setLong(index, 1, order)};
          default -> new Executable[] {() -> b.copyToArray(index, new byte[3], 0, 3)};
        };
    for (Executable access : accesses) {
      assertEquals(message, assertThrows(IndexOutOfBoundsException.class, access).getMessage());
    }
    assertEquals(
        message,
        assertThrows(IndexOutOfBoundsException.class, () -> b.slice(index, width)).getMessage());
    int tooMany = writer - reader + 1;
    assertEquals(
        "cannot read " + tooMany + " bytes, " + (tooMany - 1) + " are readable",
        assertThrows(IndexOutOfBoundsException.class, () -> b.readBytes(tooMany)).getMessage());
    int room = CAPACITY - writer + 1;
    assertEquals(
        "cannot write " + room + " bytes at " + writer + ", the maximum capacity is " + CAPACITY,
        assertThrows(IndexOutOfBoundsException.class, () -> b.writeBytes(new byte[room]))
            .getMessage());
  }

  private void step(ByteBuf b) {
    int width = new int[] {1, 2, 3, 4, 8}[random.nextInt(5)];
    ByteOrder order = random.nextBoolean() ? BIG_ENDIAN : LITTLE_ENDIAN;
    int index = random.nextInt(CAPACITY - width + 1);
    switch (random.nextInt(9)) {
      case 0 -> get(b, index, width, order);
      case 1 -> set(b, index, width, order, random.nextLong());
      case 2, 3 -> {
        if (writer - reader >= width) {
          read(b, width, order);
        }
      }
      case 4, 5 -> {
        if (CAPACITY - writer >= width) {
          write(b, width, order, random.nextLong());
        }
      }
      case 6 -> bytes(b, index, random.nextInt(CAPACITY - index + 1));
      case 7 -> {
        readMany(b, random.nextInt(writer - reader + 1));
        writeMany(b, random.nextInt(CAPACITY - writer + 1));
      }
      default -> {
        outside(b, width, order);
        moveIndices(b);
      }
    }
    assertEquals(reader, b.readerIndex());
    assertEquals(writer, b.writerIndex());
    assertEquals(writer - reader, b.readableBytes());
    assertEquals(CAPACITY - writer, b.writableBytes());
  }

  private void agrees(ByteBuf b) {
    b.setBytes(0, model, 0, CAPACITY).clear();
    byte[] all = new byte[CAPACITY];
    for (int i = 0; i < OPERATIONS; i++) {
      int operation = i;
      Supplier<String> where = () -> "seed " + SEED + ", operation " + operation;
      try {
        step(b);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(where.get(), e);
      }
      b.copyToArray(0, all, 0, CAPACITY);
      assertArrayEquals(model, all, where);
    }
  }

  @EachStorage
  void wholeBufferAgreesWithAnArray(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(CAPACITY, CAPACITY);
    agrees(buffer);
    buffer.release();
  }

  @EachStorage
  void splitPartAgreesWithAnArrayAndLeavesWhatIsAround(Storage storage) {
    ByteBuf rest = buffer(storage, CAPACITY + 20).writeBytes(new byte[CAPACITY + 20]);
    rest.setLong(1, 0x5555_5555_5555_5555L).setLong(CAPACITY + 9, 0x5555_5555_5555_5555L);
    ByteBuf before = rest.writerIndex(9).split();
    ByteBuf part = rest.writerIndex(CAPACITY).split();
    slices = false;
    agrees(part);
    assertEquals(0x5555_5555_5555_5555L, before.getLong(1));
    assertEquals(0x5555_5555_5555_5555L, rest.getLong(0));
    part.release();
    before.release();
    rest.release();
  }

  @EachStorage
  void shareAndWrappedArrayAgreeWithAnArray(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(CAPACITY, CAPACITY);
    ByteBuf share = buffer.writerIndex(CAPACITY).share();
    buffer.release();
    agrees(share.clear());
    share.release();
    reader = 0;
    writer = 0;
    slices = false;
    agrees(ByteBuf.wrap(new byte[CAPACITY + 2], 1, CAPACITY));
  }
}
