package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.Random;

/// Hexadecimal text against `java.util.HexFormat`.
class HexTest extends Buffers {

  private static void assertRefused(ByteBuf target, String text, String message) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> Hex.decode(text, target)).getMessage());
    ByteBuf source = ByteBuf.utf8("xx" + text).skip(2);
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> Hex.decode(source, target))
            .getMessage());
    assertEquals(0, target.readableBytes());
  }

  @EachStorage
  void agreesWithTheJdkBothWays(Storage storage) {
    Random random = new Random(1);
    LoopAllocator allocator = allocator(storage);
    for (int length = 0; length < 100; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      HexFormat format = random.nextBoolean() ? HexFormat.of() : HexFormat.of().withUpperCase();
      ByteBuf source = allocator.allocate(0).writeByte(9).writeBytes(bytes).skip(1);
      ByteBuf text = allocator.allocate(0);
      assertEquals(HexFormat.of().formatHex(bytes), Hex.encode(source));
      Hex.encode(source, text);
      ByteBuf decoded = allocator.allocate(0);
      Hex.decode(text, decoded);
      Hex.decode(format.formatHex(bytes), decoded);
      assertEquals(2 * length, decoded.readableBytes());
      assertEquals(ByteBuf.wrap(bytes), ByteBuf.wrap(decoded.readBytes(length)));
      assertEquals(ByteBuf.wrap(bytes), ByteBuf.wrap(decoded.readBytes(length)));
      source.release();
      text.release();
      decoded.release();
    }
  }

  @EachStorage
  void malformedTextIsNamedByIndexAndCharacter(Storage storage) {
    ByteBuf target = buffer(storage, 8);
    assertRefused(target, "abc", "3 hexadecimal digits, expected an even number");
    assertRefused(target, "00g0", "'g' at index 2 is not a hexadecimal digit");
    assertRefused(target, "000 ", "character 0x20 at index 3 is not a hexadecimal digit");
    assertRefused(target, "0x", "'x' at index 1 is not a hexadecimal digit");
    assertEquals(
        "character 0xff11 at index 1 is not a hexadecimal digit",
        assertThrows(IllegalArgumentException.class, () -> Hex.decode("0\uff11", target))
            .getMessage());
    target.release();
  }

  @EachStorage
  void everyOtherCharacterIsRefused(Storage storage) {
    ByteBuf target = buffer(storage, 8);
    for (char c = 0; c < 0x200; c++) {
      String text = "0" + c;
      if ("0123456789abcdefABCDEF".indexOf(c) < 0) {
        assertThrows(IllegalArgumentException.class, () -> Hex.decode(text, target));
      }
    }
    target.release();
  }
}
