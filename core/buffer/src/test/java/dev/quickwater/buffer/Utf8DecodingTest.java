package dev.quickwater.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

/// UTF-8 read from buffers against the JDK's decoder, well-formed and not.
class Utf8DecodingTest extends Buffers {

  private static final long SEED = 11;

  /// Bytes at which the rules of UTF-8 change.
  private static final int[] BYTES = {
    0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xdf, 0xe0,
    0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff
  };

  private static final String[] ALPHABETS = {
    "abcdefghijklmnop",
    "abcdefghijklmé",
    "a\u0080\u00bf\u00c0\u00ff",
    "abcdefgé€",
    "ab\u0080\u07ff\u0800\uffff",
    "你好世界网络 😀",
    "\ud7ff\ue000😀\uDBFF\uDFFF"
  };

  private static void assertDecoded(ByteBuf buffer, byte[] bytes, int offset, int length) {
    buffer.clear().writeByte('x').writeBytes(bytes, offset, length).skip(1);
    String expected = new String(bytes, offset, length, UTF_8);
    assertEquals(expected, buffer.toString(UTF_8), "seed " + SEED);
    ByteBuf slice = buffer.slice(1, length);
    assertEquals(expected, slice.readString(length, UTF_8), "seed " + SEED);
    slice.release();
  }

  private static String random(Random random, int length) {
    int[] points = ALPHABETS[random.nextInt(ALPHABETS.length)].codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  @EachStorage
  void textOfEveryLengthAndEveryTruncationOfItIsDecodedAsByTheJdk(Storage storage) {
    Random random = new Random(SEED);
    ByteBuf buffer = buffer(storage, 16);
    for (int length = 0; length <= 120; length++) {
      byte[] bytes = random(random, length).getBytes(UTF_8);
      for (int end = 0; end <= bytes.length; end++) {
        assertDecoded(buffer, bytes, 0, end);
      }
    }
    buffer.release();
  }

  @EachStorage
  void malformedTextIsReplacedAsByTheJdk(Storage storage) {
    Random random = new Random(SEED);
    ByteBuf buffer = buffer(storage, 16);
    for (int round = 0; round < 30_000; round++) {
      byte[] bytes = random(random, random.nextInt(30)).getBytes(UTF_8);
      for (int hits = random.nextInt(4); hits > 0 && bytes.length > 0; hits--) {
        bytes[random.nextInt(bytes.length)] = (byte) BYTES[random.nextInt(BYTES.length)];
      }
      int from = random.nextInt(bytes.length + 1);
      assertDecoded(buffer, bytes, from, bytes.length - from);
    }
    buffer.release();
  }

  @EachStorage
  void everySequenceOfThreeCriticalBytesIsDecodedAsByTheJdk(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    byte[] bytes = {'a', 0, 0, 0, (byte) 0x80, 'b'};
    for (int first : BYTES) {
      for (int second : BYTES) {
        for (int third : BYTES) {
          bytes[1] = (byte) first;
          bytes[2] = (byte) second;
          bytes[3] = (byte) third;
          assertDecoded(buffer, bytes, 0, 6);
          assertDecoded(buffer, bytes, 1, 4);
          assertDecoded(buffer, bytes, 1, 3);
        }
      }
    }
    buffer.release();
  }

  @EachStorage
  void textAroundTheSizeOfTheScratchArrayIsDecoded(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    for (int extra = -3; extra <= 3; extra++) {
      byte[] bytes = ("你".repeat(10) + "a".repeat(Scratch.SIZE - 30 + extra)).getBytes(UTF_8);
      assertDecoded(buffer, bytes, 0, bytes.length);
      byte[] latin = ("é".repeat(10) + "a".repeat(Scratch.SIZE - 20 + extra)).getBytes(UTF_8);
      assertDecoded(buffer, latin, 0, latin.length);
    }
    buffer.release();
  }
}
