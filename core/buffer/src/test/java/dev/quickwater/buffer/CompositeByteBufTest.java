package dev.quickwater.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.search.ByteSearch;
import dev.quickwater.buffer.search.Needle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CompositeByteBufTest extends Buffers {

  @EachStorage
  void sizeIsWhatAllPartsHaveToRead(Storage storage) {
    ByteBuf one = counting(storage, 10);
    ByteBuf other = ByteBuf.utf8("abc");
    one.skip(4);
    CompositeByteBuf composite = CompositeByteBuf.of(one, other, ByteBuf.wrap());
    assertEquals(9, composite.size());
    assertEquals(List.of(one, other, ByteBuf.wrap()), composite.parts());
    assertThrows(UnsupportedOperationException.class, () -> composite.parts().clear());
    composite.release();
  }

  @EachStorage
  void releaseReleasesEveryPartOnce(Storage storage) {
    ByteBuf one = counting(storage, 10);
    ByteBuf other = counting(storage, 10);
    CompositeByteBuf composite = CompositeByteBuf.of(one, other);
    composite.release();
    assertFalse(one.isLive());
    assertFalse(other.isLive());
    assertThrows(IllegalStateException.class, composite::release);
    assertThrows(IllegalStateException.class, composite::parts);
  }

  @EachStorage
  void oneReleasedPartDoesNotKeepTheOthers(Storage storage) {
    ByteBuf one = counting(storage, 10);
    ByteBuf other = counting(storage, 10);
    CompositeByteBuf composite = CompositeByteBuf.of(one, other);
    one.release();
    assertThrows(IllegalStateException.class, composite::release);
    assertFalse(other.isLive());
  }

  @EachStorage
  void releasedPartIsRefusedFromTheStart(Storage storage) {
    ByteBuf one = counting(storage, 10);
    one.release();
    assertThrows(IllegalStateException.class, () -> CompositeByteBuf.of(one));
  }

  private static final long SEED = 3;

  /// Cuts bytes into parts of random lengths, 0 among them, alternately in arrays and allocated,
  /// each with bytes around that must not be seen.
  private static CompositeByteBuf cut(byte[] bytes, LoopAllocator allocator, Random random) {
    List<ByteBuf> parts = new ArrayList<>();
    int at = 0;
    int bound = random.nextBoolean() ? 9 : 40;
    while (at < bytes.length) {
      int length = Math.min(random.nextInt(bound), bytes.length - at);
      ByteBuf part = random.nextBoolean() ? allocator.allocate(64) : ByteBuf.wrap(new byte[64]);
      part.clear().writeShort(0x7777).writeBytes(bytes, at, length);
      part.setByte(part.writerIndex(), 0x77).skip(2);
      parts.add(part);
      at += length;
    }
    return CompositeByteBuf.of(parts.toArray(ByteBuf[]::new));
  }

  @EachStorage
  void agreesWithOneBufferHoweverItIsCut(Storage storage) {
    Random random = new Random(SEED);
    LoopAllocator allocator = allocator(storage);
    for (int round = 0; round < 300; round++) {
      byte[] bytes = new byte[1 + random.nextInt(100)];
      random.nextBytes(bytes);
      ByteBuf model = ByteBuf.wrap(bytes);
      CompositeByteBuf composite = cut(bytes, allocator, random);
      assertEquals(bytes.length, composite.size());
      for (int step = 0; step < 60; step++) {
        int index = random.nextInt(bytes.length);
        int room = bytes.length - index;
        int length = random.nextInt(room + 1);
        String message = "seed " + SEED + ", index " + index;
        assertEquals(model.getByte(index), composite.getByte(index), message);
        if (room >= 8) {
          assertEquals(model.getShort(index), composite.getShort(index), message);
          assertEquals(model.getInt(index), composite.getInt(index), message);
          assertEquals(model.getLong(index), composite.getLong(index), message);
        }
        byte[] copied = new byte[length + 2];
        composite.copyToArray(index, copied, 1, length);
        byte[] expected = new byte[length + 2];
        model.copyToArray(index, expected, 1, length);
        assertArrayEquals(expected, copied, message);
        byte value = bytes[random.nextInt(bytes.length)];
        assertEquals(
            model.indexOf(index, index + length, value),
            composite.indexOf(index, index + length, value),
            message);
        CompositeByteBuf slice = composite.slice(index, length);
        assertEquals(model.slice(index, length), slice.copy(), message);
        slice.release();
      }
      assertEquals(model, composite.copy());
      readInOrder(model, composite, random);
      composite.release();
    }
  }

  private static void readInOrder(ByteBuf model, CompositeByteBuf composite, Random random) {
    while (model.readableBytes() >= 8) {
      switch (random.nextInt(8)) {
        case 0 -> assertEquals(model.readByte(), composite.readByte());
        case 1 -> assertEquals(model.readShort(), composite.readShort());
        case 2 -> assertEquals(model.readInt(), composite.readInt());
        case 3 -> assertEquals(model.readLong(), composite.readLong());
        case 4 -> assertArrayEquals(model.readBytes(5), composite.readBytes(5));
        case 5 -> {
          int index = random.nextInt(model.readerIndex() + 1);
          model.readerIndex(index);
          composite.readerIndex(index);
        }
        case 6 -> composite.getByte(random.nextInt(model.capacity()));
        default ->
            assertEquals(model.readString(7, ISO_8859_1), composite.readString(7, ISO_8859_1));
      }
      assertEquals(model.readerIndex(), composite.readerIndex());
      assertEquals(model.readableBytes(), composite.readableBytes());
    }
  }

  @EachStorage
  void searchFindsAMatchThatLiesInSeveralParts(Storage storage) {
    Random random = new Random(SEED);
    LoopAllocator allocator = allocator(storage);
    byte[] text = "--boundary--bound--boundary".getBytes(ISO_8859_1);
    Needle needle = Needle.of("boundary".getBytes(ISO_8859_1));
    for (int round = 0; round < 100; round++) {
      CompositeByteBuf composite = cut(text, allocator, random);
      ByteSearch search = needle.search();
      assertEquals(10, search.find(composite, 0, text.length));
      assertEquals(text.length, search.find(composite, 10, text.length));
      assertEquals(-1, search.find(composite, text.length, text.length));
      composite.release();
    }
  }

  @EachStorage
  void characterInTwoPartsIsRead(Storage storage) {
    byte[] text = "é€".getBytes(UTF_8);
    CompositeByteBuf composite =
        CompositeByteBuf.of(
            buffer(storage, 8).writeBytes(text, 0, 1),
            buffer(storage, 8).writeBytes(text, 1, 2),
            buffer(storage, 8).writeBytes(text, 3, 2));
    assertEquals("é€", composite.readString(5, UTF_8));
    assertEquals("", composite.readString(0, UTF_8));
    composite.release();
  }

  @EachStorage
  void accessOutsideNamesAllNumbers(Storage storage) {
    CompositeByteBuf composite = CompositeByteBuf.of(counting(storage, 3), counting(storage, 4));
    assertEquals(
        "index 5 with length 4 is outside the capacity 7",
        assertThrows(IndexOutOfBoundsException.class, () -> composite.getInt(5)).getMessage());
    for (int index : new int[] {-1, 7, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThrows(IndexOutOfBoundsException.class, () -> composite.getByte(index));
      assertThrows(IndexOutOfBoundsException.class, () -> composite.getLong(index));
      assertThrows(IndexOutOfBoundsException.class, () -> composite.slice(index, 1));
    }
    composite.readerIndex(4);
    assertEquals(
        "cannot read 4 bytes, 3 are readable",
        assertThrows(IndexOutOfBoundsException.class, composite::readInt).getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> composite.readBytes(-1));
    assertEquals(4, composite.readerIndex());
    assertEquals(
        "readerIndex 8 is not between 0 and the capacity 7",
        assertThrows(IndexOutOfBoundsException.class, () -> composite.readerIndex(8)).getMessage());
    composite.release();
  }

  @EachStorage
  void everyUseAfterReleaseSaysSo(Storage storage) {
    CompositeByteBuf composite = CompositeByteBuf.of(counting(storage, 3), counting(storage, 8));
    assertTrue(composite.isLive());
    composite.release();
    assertFalse(composite.isLive());
    List<Executable> uses =
        List.of(
            () -> composite.copyToArray(0, new byte[1], 0, 1),
            () -> composite.readerIndex(0),
            () -> composite.size(),
            () -> composite.capacity(),
            () -> composite.readableBytes(),
            () -> composite.readByte(),
            () -> composite.readLong(),
            () -> composite.readString(0, UTF_8),
            () -> composite.indexOf(0, 1, (byte) 0),
            () -> composite.slice(0, 1),
            composite::share,
            composite::copy);
    uses.forEach(use ->
        assertEquals(
            "the composite buffer was released",
            assertThrows(IllegalStateException.class, use).getMessage()));
    assertThrows(IllegalStateException.class, () -> composite.getByte(0));
    assertThrows(IllegalStateException.class, () -> composite.getLong(3));
  }

  @EachStorage
  void partReleasedBySomebodyElseIsNotReadInOrder(Storage storage) {
    ByteBuf part = counting(storage, 32);
    CompositeByteBuf composite = CompositeByteBuf.of(part, counting(storage, 32));
    assertEquals(0, composite.readByte());
    part.release();
    List<Executable> reads =
        List.of(composite::readByte, composite::readShort, composite::readInt, composite::readLong);
    for (Executable read : reads) {
      assertEquals(
          "the buffer was released", assertThrows(IllegalStateException.class, read).getMessage());
    }
    assertEquals(1, composite.readerIndex());
    assertThrows(IllegalStateException.class, composite::release);
  }

  @EachStorage
  void partThatGrowsWhileItIsReadIsFollowed(Storage storage) {
    ByteBuf part = allocator(storage).allocate(16, 1 << 16).writeLong(1).writeLong(2);
    CompositeByteBuf composite = CompositeByteBuf.of(part, counting(storage, 8));
    assertEquals(0, composite.readByte());
    part.writeBytes(new byte[4096]).setByte(1, 77).setLong(8, 5);
    assertEquals(77, composite.readByte());
    composite.readerIndex(8);
    assertEquals(5, composite.readLong());
    assertEquals(0x0001_0203_0405_0607L, composite.readLong());
    assertEquals(0, composite.readableBytes());
    composite.release();
  }

  @EachStorage
  void readingBeyondTheEndLeavesTheReaderIndex(Storage storage) {
    CompositeByteBuf composite = CompositeByteBuf.of(counting(storage, 3), counting(storage, 4));
    composite.readBytes(5);
    assertThrows(IndexOutOfBoundsException.class, composite::readInt);
    assertEquals(0x0203, composite.readShort());
    for (Executable read : List.<Executable>of(composite::readByte, composite::readLong)) {
      assertThrows(IndexOutOfBoundsException.class, read);
    }
    assertEquals(7, composite.readerIndex());
    composite.release();
  }

  @EachStorage
  void sizeCountsUnreadBytes(Storage storage) {
    CompositeByteBuf composite = CompositeByteBuf.of(counting(storage, 3), counting(storage, 4));
    composite.readInt();
    assertEquals(3, composite.size());
    assertEquals(7, composite.capacity());
    composite.release();
  }

  @EachStorage
  void shareKeepsTheReaderIndex(Storage storage) {
    CompositeByteBuf composite = CompositeByteBuf.of(counting(storage, 3), counting(storage, 4));
    composite.readInt();
    CompositeByteBuf share = composite.share();
    assertEquals(4, share.readerIndex());
    assertEquals(1, share.readByte());
    assertEquals(0x0001_0200, share.getInt(0));
    composite.readBytes(3);
    CompositeByteBuf read = composite.share();
    assertEquals(0, read.readableBytes());
    composite.release();
    share.release();
    read.release();
  }

  @EachStorage
  void failedSliceReleasesTheSlicesBeforeIt(Storage storage) {
    ByteBuf first = counting(storage, 3);
    ByteBuf second = counting(storage, 4);
    CompositeByteBuf composite = CompositeByteBuf.of(first, second);
    second.split().release();
    assertThrows(IndexOutOfBoundsException.class, () -> composite.slice(1, 4));
    assertFalse(first.isShared());
    second.release();
    assertThrows(IllegalStateException.class, () -> composite.slice(1, 4));
    assertFalse(first.isShared());
    assertThrows(IllegalStateException.class, composite::release);
  }

  @EachStorage
  void shareOutlivesTheOriginal(Storage storage) {
    CompositeByteBuf composite = CompositeByteBuf.of(counting(storage, 3), counting(storage, 4));
    CompositeByteBuf share = composite.share();
    composite.release();
    assertEquals(0x0001_0200, share.getInt(0));
    share.release();
  }

  @Test
  void compositeMayBeEmpty() {
    CompositeByteBuf composite = CompositeByteBuf.of();
    assertEquals(0, composite.size());
    assertTrue(composite.parts().isEmpty());
    composite.release();
  }
}
