package dev.quickwater.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// UTF-8 against the JDK's encoder and decoder.
class Utf8Test extends Buffers {

  private static final long SEED = 7;

  /// Where the number of bytes changes, surrogates of both kinds, and much ASCII.
  private static final String CHARACTERS =
      "abcdefghijklmnop\u0000\u007f\u0080\u07ff\u0800\uffff\ud7ff\ud800\udbff\udc00\udfff\ue000é";

  private static String random(Random random) {
    StringBuilder text = new StringBuilder();
    int letters = random.nextBoolean() ? CHARACTERS.length() : 17;
    int length = random.nextInt(50);
    for (int i = 0; i < length; i++) {
      text.append(CHARACTERS.charAt(random.nextInt(letters)));
    }
    return text.toString();
  }

  @EachStorage
  void agreesWithTheJdkForAnyText(Storage storage) {
    Random random = new Random(SEED);
    LoopAllocator allocator = allocator(storage);
    for (int round = 0; round < 3_000; round++) {
      String text = random(random);
      byte[] expected = text.getBytes(UTF_8);
      ByteBuf buffer = allocator.allocate(random.nextInt(20)).writeByte(1);
      buffer.writeUtf8(text).writeUtf8(new StringBuilder(text)).skip(1);
      assertEquals(expected.length, Utf8.size(text), "seed " + SEED);
      assertArrayEquals(expected, buffer.readBytes(expected.length), "seed " + SEED);
      assertArrayEquals(expected, buffer.readBytes(expected.length), "seed " + SEED);
      byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
      buffer.writeAscii(text);
      assertEquals(text.length(), buffer.readableBytes());
      if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
        assertArrayEquals(ascii, buffer.readBytes(ascii.length), "seed " + SEED);
      }
      buffer.release();
    }
  }

  @Test
  void sizeOfALongTextIsThatOfItsBytes() throws InterruptedException {
    for (String other : List.of("", "\u0800", "\ud83d\ude00", "\ud83d", "\uffff")) {
      for (int length = 0; length < 2_100; length += 1 + length / 9) {
        String text = "aé\u0080b\u07ffcde".repeat(length).substring(0, length) + other + "é";
        int expected = text.getBytes(UTF_8).length;
        assertEquals(expected, Utf8.size(text));
        assertEquals(expected, Utf8.size(new StringBuilder(text)));
        int[] virtual = {0};
        Thread.startVirtualThread(() -> virtual[0] = Utf8.size(text)).join();
        assertEquals(expected, virtual[0]);
      }
    }
  }

  @EachStorage
  void nothingIsWrittenBehindTheText(Storage storage) {
    ByteBuf buffer = buffer(storage, 64);
    for (int length = 0; length < 40; length++) {
      buffer.clear().writeBytes(new byte[64]).writerIndex(0);
      buffer.writeUtf8("x".repeat(length));
      for (int i = length; i < 64; i++) {
        assertEquals(0, buffer.getByte(i));
      }
    }
    buffer.release();
  }

  @EachStorage
  void exactlyTheRoomNeededIsEnough(Storage storage) {
    Random random = new Random(SEED);
    LoopAllocator allocator = allocator(storage);
    for (int round = 0; round < 2_000; round++) {
      String text = random(random);
      byte[] expected = text.getBytes(UTF_8);
      ByteBuf whole = allocator.allocate(expected.length + 8);
      whole.writeBytes(new byte[expected.length + 8]);
      ByteBuf before = whole.writerIndex(3).split();
      ByteBuf room = whole.writerIndex(expected.length).split().clear();
      room.writeUtf8(text);
      assertArrayEquals(expected, room.readBytes(expected.length), "seed " + SEED);
      assertEquals(0, before.getByte(2));
      assertEquals(0, whole.getByte(0), "seed " + SEED);
      room.release();
      before.release();
      whole.release();
    }
  }

  @EachStorage
  void textThatDoesNotFitLeavesTheBufferAsItWas(Storage storage) {
    ByteBuf buffer = allocator(storage).allocate(4, 10).writeByte(1);
    for (CharSequence text : new CharSequence[] {"éééé€", new StringBuilder("éééé€")}) {
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeUtf8(text));
      assertEquals(1, buffer.readableBytes());
    }
    buffer.writeUtf8("éééé").writeUtf8(new StringBuilder("a"));
    assertEquals(10, buffer.readableBytes());
    buffer.release();
  }

  @EachStorage
  void textsOfEveryLengthAreDecoded(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    for (int length : new int[] {0, 1, 100, Scratch.SIZE, Scratch.SIZE + 1, 100_000, 3}) {
      String text = "é".repeat(length / 2) + "a".repeat(length % 2);
      buffer.clear().writeUtf8(text);
      assertEquals(text, buffer.toString(UTF_8));
      assertEquals(text, buffer.readString(length, UTF_8));
      assertEquals(0, buffer.readableBytes());
    }
    buffer.release();
  }

  @EachStorage
  void textIsDecodedOnAVirtualThread(Storage storage) throws Exception {
    ByteBuf buffer = buffer(storage, 16).writeUtf8("häß");
    String[] read = new String[1];
    Thread.ofVirtual().start(() -> read[0] = buffer.toString(UTF_8)).join();
    assertEquals("häß", read[0]);
    buffer.release();
  }

  @Test
  void sizeOverflowIsRefused() {
    CharSequence huge =
        new CharSequence() {
          @Override
          public int length() {
            return Integer.MAX_VALUE;
          }

          @Override
          public char charAt(int index) {
            return index < 4 ? '€' : 'a';
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            throw new UnsupportedOperationException();
          }
        };
    assertThrows(ArithmeticException.class, () -> Utf8.size(huge));
  }

  /// The JDK copies long texts and writes a terminator behind them.
  @EachStorage
  void longAsciiLeavesTheByteBehindIt(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    for (int length = 0; length < 300; length++) {
      String text = "abcdefghij".repeat(30).substring(0, length);
      for (int room = length; room < length + 3; room++) {
        ByteBuf whole = allocator.allocate(room + 8).writerIndex(room + 8);
        whole.fill(0, room + 8, 0x77);
        ByteBuf buffer = whole.writerIndex(room).split().clear();
        if (length % 2 == 0) {
          buffer.writeUtf8(text);
        } else {
          buffer.writeAscii(text);
        }
        assertEquals(length, buffer.writerIndex());
        buffer.writerIndex(room);
        assertEquals(text, buffer.readUtf8(length));
        while (buffer.isReadable()) {
          assertEquals(0x77, buffer.readByte());
        }
        assertEquals(0x77, whole.getByte(0));
        buffer.release();
        whole.release();
      }
    }
  }

  @EachStorage
  void oneOtherCharacterAnywhereInALongTextIsWritten(Storage storage) {
    ByteBuf buffer = buffer(storage, 2000);
    for (String other : List.of("\u00e9", "\u20ac", "\ud83d\ude00", "\u0141", "\ud83d")) {
      for (int place = 0; place <= 70; place++) {
        String text = "a".repeat(place) + other + "b".repeat(70 - place);
        assertArrayEquals(text.getBytes(UTF_8), written(buffer.clear().writeUtf8(text)));
        String ascii = "a".repeat(place) + "?".repeat(other.length()) + "b".repeat(70 - place);
        assertArrayEquals(ascii.getBytes(UTF_8), written(buffer.clear().writeAscii(text)));
      }
    }
    buffer.release();
  }

  private static byte[] written(ByteBuf buffer) {
    return buffer.readBytes(buffer.readableBytes());
  }
}
