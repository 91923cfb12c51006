package dev.quickwater.util.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Every byte at every place of short ranges, beside the plain definition.
final class AsciiTest {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void anyByteEqualsAnAsciiByteIfBothAreOneLetter() {
    for (int length = 1; length <= 20; length++) {
      byte[] a = new byte[length];
      byte[] b = new byte[length];
      Arrays.fill(a, (byte) 'Q');
      Arrays.fill(b, (byte) 'q');
      for (int at = 0; at < length; at++) {
        for (int x = 0; x < 0x100; x++) {
          for (int y = 0; y < 0x80; y++) {
            a[at] = (byte) x;
            b[at] = (byte) y;
            boolean expected = x < 0x80 && lower(x).equals(lower(y));
            assertEquals(expected, Ascii.equalsIgnoreCase(a, 0, b, 0, length), x + " and " + y);
          }
        }
        a[at] = 'Q';
        b[at] = 'q';
      }
    }
  }

  private static String lower(int c) {
    return String.valueOf((char) c).toLowerCase(Locale.ROOT);
  }

  @Test
  void bytesBeyondAsciiAtEveryPlaceDiffer() {
    byte[] a = new byte[16];
    byte[] b = bytes("content-encoding");
    Arrays.fill(a, (byte) 0xc1);
    assertFalse(Ascii.equalsIgnoreCase(a, 0, b, 0, 16));
    assertTrue(Ascii.equalsIgnoreCase(a, 4, b, 3, 0));
    assertThrows(
        IndexOutOfBoundsException.class, () -> Ascii.equalsIgnoreCase(b, 1, b, 1, b.length));
  }

  @Test
  void oneToEighteenDigitsAreANumber() {
    assertEquals(999_999_999_999_999_999L, Ascii.parseDigits("9".repeat(18), 0, 18));
    assertEquals(0, Ascii.parseDigits("000", 0, 3));
    assertEquals(80, Ascii.parseDigits(bytes("a:080/"), 2, 5));
    assertEquals(-1, Ascii.parseDigits("9".repeat(19), 0, 19));
    assertEquals(-1, Ascii.parseDigits(bytes("9".repeat(19)), 0, 19));
    assertEquals(-1, Ascii.parseDigits("", 0, 0));
    assertEquals(-1, Ascii.parseDigits(bytes("1"), 1, 1));
    for (String text : new String[] {"-1", "+1", " 1", "1 ", "1_0", "\u0661", "0x1"}) {
      assertEquals(-1, Ascii.parseDigits(text, 0, text.length()), text);
    }
    assertEquals(-1, Ascii.parseDigits(new byte[] {'1', (byte) 0xb1}, 0, 2));
  }

  @Test
  void hexadecimalDigitsAreThoseOfAscii() {
    for (int c = -0x80; c < 0x1_0000; c++) {
      int expected = c >= 0 && c < 0x80 ? Character.digit(c, 16) : -1;
      assertEquals(expected, Ascii.hexDigit(c));
      assertEquals(c >= 'A' && c <= 'Z' ? c + 32 : c, Ascii.toLowerCase(c));
    }
  }
}
