package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HuffmanTest {

  private static byte[] encode(byte[] text) {
    ByteBuf out = ByteBufAllocator.shared().allocate(16);
    Huffman.encode(text, 0, text.length, out);
    byte[] encoded = out.readBytes(out.readableBytes());
    out.release();
    assertEquals(encoded.length, Huffman.encodedLength(text, 0, text.length));
    return encoded;
  }

  private static int decodedLength(String hex) {
    byte[] text = HexFormat.of().parseHex(hex);
    return Huffman.decode(text, 0, text.length, new byte[Huffman.maxDecoded(text.length)]);
  }

  private static byte[] decode(byte[] text) {
    byte[] out = new byte[Huffman.maxDecoded(text.length)];
    return Arrays.copyOf(out, Huffman.decode(text, 0, text.length, out));
  }

  /// From RFC 7541 appendix C.4 and C.6.
  @Test
  void textsOfTheRfcHaveItsCodes() {
    assertEquals(
        "f1e3c2e5f23a6ba0ab90f4ff",
        HexFormat.of().formatHex(encode(Blocks.bytes("www.example.com"))));
    assertEquals("a8eb10649cbf", HexFormat.of().formatHex(encode(Blocks.bytes("no-cache"))));
    assertEquals("6402", HexFormat.of().formatHex(encode(Blocks.bytes("302"))));
    assertEquals(
        "d07abe941054d444a8200595040b8166e082a62d1bff",
        HexFormat.of().formatHex(encode(Blocks.bytes("Mon, 21 Oct 2013 20:13:21 GMT"))));
  }

  /// Codes of RFC 7541 appendix B, from the shortest to the longest.
  @Test
  void codesAreThoseOfTheAppendix() {
    assertEquals("07", HexFormat.of().formatHex(encode(Blocks.bytes("0")))); // 00000
    assertEquals("53", HexFormat.of().formatHex(encode(Blocks.bytes(" ")))); // 010100
    assertEquals("ffc7", HexFormat.of().formatHex(encode(new byte[] {0}))); // 1ff8
    assertEquals("fffffff3", HexFormat.of().formatHex(encode(new byte[] {'\n'})));
    assertEquals("fffffffb", HexFormat.of().formatHex(encode(new byte[] {22})));
    assertEquals("fffffbbf", HexFormat.of().formatHex(encode(new byte[] {(byte) 255})));
  }

  @Test
  void eachByteIsDecodedAloneAndBetweenOthers() {
    for (int b = 0; b < 256; b++) {
      byte[] alone = {(byte) b};
      assertArrayEquals(alone, decode(encode(alone)));
      byte[] between = {'a', (byte) b, '~', (byte) b, 0, (byte) b};
      assertArrayEquals(between, decode(encode(between)));
    }
  }

  @Test
  void randomTextsAreDecoded() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = new byte[random.nextInt(40)];
      for (int k = 0; k < text.length; k++) {
        text[k] = (byte) (random.nextBoolean() ? random.nextInt(256) : 32 + random.nextInt(95));
      }
      assertArrayEquals(text, decode(encode(text)));
    }
  }

  @Test
  void paddingOfUpToSevenOnesEndsAString() {
    assertEquals(1, decodedLength("1f")); // a, three ones
    assertEquals(-1, decodedLength("1e"), "a zero in the padding");
    assertEquals(-1, decodedLength("1fff"), "eleven bits of padding");
    assertEquals(-1, decodedLength("ff"), "eight bits of padding");
    assertEquals(0, decodedLength(""));
  }

  @Test
  void endOfStringInsideOfAStringIsRefused() {
    assertEquals(-1, decodedLength("fffffffc"));
    assertEquals(-1, decodedLength("ffffffffffffffff"));
    assertEquals(-1, decodedLength("1fffffffff"));
  }

  /// Many patterns begin with ones, where the longest codes and EOS are.
  @Test
  void everyPatternIsDecodedOrRefused() {
    Random random = new Random(11);
    for (int i = 0; i < 200_000; i++) {
      byte[] text = new byte[1 + random.nextInt(9)];
      random.nextBytes(text);
      if (random.nextBoolean()) {
        Arrays.fill(text, 0, random.nextInt(text.length), (byte) 0xff);
      }
      byte[] out = new byte[Huffman.maxDecoded(text.length)];
      int count = Huffman.decode(text, 0, text.length, out);
      if (count >= 0) {
        assertArrayEquals(text, encode(Arrays.copyOf(out, count)));
      }
    }
  }
}
