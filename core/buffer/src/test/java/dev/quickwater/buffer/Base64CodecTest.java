package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Base64 against `java.util.Base64`, which is laxer in decoding.
class Base64CodecTest extends Buffers {

  private static void assertCodec(
      Base64Codec codec, Base64.Encoder model, byte[] bytes, LoopAllocator allocator) {
    String expected = model.encodeToString(bytes);
    ByteBuf source = allocator.allocate(0).writeByte(9).writeBytes(bytes).skip(1);
    ByteBuf text = allocator.allocate(0);
    codec.encode(source, text);
    assertEquals(expected, codec.encode(source));
    assertEquals(expected.length(), codec.encodedSize(bytes.length));
    assertEquals(ByteBuf.utf8(expected), text);
    ByteBuf decoded = allocator.allocate(0);
    codec.decode(text, decoded);
    assertEquals(ByteBuf.wrap(bytes), decoded);
    codec.decode(expected, decoded.clear());
    assertEquals(ByteBuf.wrap(bytes), decoded);
    source.release();
    text.release();
    decoded.release();
  }

  @EachStorage
  void agreesWithTheJdkBothWays(Storage storage) {
    Random random = new Random(1);
    LoopAllocator allocator = allocator(storage);
    for (int length = 0; length < 100; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      Base64.Encoder standard = Base64.getEncoder();
      Base64.Encoder url = Base64.getUrlEncoder();
      assertCodec(Base64Codec.STANDARD, standard, bytes, allocator);
      assertCodec(Base64Codec.URL, url, bytes, allocator);
      assertCodec(
          Base64Codec.STANDARD.withoutPadding(), standard.withoutPadding(), bytes, allocator);
      assertCodec(Base64Codec.URL.withoutPadding(), url.withoutPadding(), bytes, allocator);
    }
  }

  private static void assertRefused(String text, String message) {
    ByteBuf target = ByteBuf.wrap(new byte[64]).clear();
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class, () -> Base64Codec.STANDARD.decode(text, target))
            .getMessage());
    assertEquals(0, target.readableBytes());
  }

  @Test
  void malformedTextIsNamedByIndexAndCharacter() {
    assertRefused("AAAA-AAA", "'-' at index 4 is not Base64 here");
    assertRefused("AAAAA\nAA", "character 0x0a at index 5 is not Base64 here");
    assertRefused("AA\u00e9A", "character 0xe9 at index 2 is not Base64 here");
    assertRefused("A===", "'=' at index 1 is not Base64 here");
    assertRefused("AA==AAAA", "'=' at index 2 is not Base64 here");
    assertRefused(
        "AAAAA", "5 Base64 characters before padding, no number of bytes has this length");
    assertRefused("=", "1 Base64 characters with padding, expected a multiple of 4");
    assertRefused("AA=", "3 Base64 characters with padding, expected a multiple of 4");
    assertRefused("AAAA==", "6 Base64 characters with padding, expected a multiple of 4");
    assertRefused("AAAA=", "5 Base64 characters with padding, expected a multiple of 4");
    assertRefused("AB==", "'B' at index 1 has surplus bits that are not 0");
    assertRefused("AAB=", "'B' at index 2 has surplus bits that are not 0");
  }

  @Test
  void sizeOverflowIsRefused() {
    assertThrows(
        ArithmeticException.class, () -> Base64Codec.STANDARD.encodedSize(Integer.MAX_VALUE));
  }

  /// Each text of four characters that is accepted equals the encoding of its bytes.
  @Test
  void textThatIsTakenIsTheOnlyOne() {
    String some = "ABQgw/+9=-\u0000\u00ff";
    ByteBuf target = ByteBuf.wrap(new byte[3]);
    int taken = 0;
    for (int i = 0; i < some.length() * some.length() * some.length() * some.length(); i++) {
      StringBuilder text = new StringBuilder();
      for (int n = i, k = 0; k < 4; k++, n /= some.length()) {
        text.append(some.charAt(n % some.length()));
      }
      target.clear();
      try {
        Base64Codec.STANDARD.decode(text, target);
      } catch (IllegalArgumentException _) {
        continue;
      }
      taken++;
      assertEquals(text.toString(), Base64Codec.STANDARD.encode(target));
    }
    assertEquals(8 * 8 * 8 * 8 + 8 * 8 * 4 + 8 * 4, taken);
  }

  @Test
  void sizeOfLessThanNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Base64Codec.STANDARD.encodedSize(-10));
    assertThrows(
        IllegalArgumentException.class, () -> Base64Codec.URL.withoutPadding().encodedSize(-1));
  }
}
