package dev.quickwater.util.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Making texts, taking parts of them, and comparing.
final class AsciiStringTest {

  @Test
  void everyAsciiCharacterIsKept() {
    String all = RandomTexts.allAscii();
    AsciiString text = AsciiString.of(all);
    assertEquals(all, text.toString());
    assertArrayEquals(all.getBytes(US_ASCII), text.toByteArray());
    for (int i = 0; i < 128; i++) {
      assertEquals(i, text.charAt(i));
      assertEquals(i, text.byteAt(i));
    }
  }

  @Test
  void everyOtherCharacterIsRefusedWhereverItIs() {
    for (int length = 1; length < 40; length++) {
      for (int at = 0; at < length; at++) {
        for (char c : new char[] {0x80, 0xe9, 0xff, 0x100, 0x4e00, 0xd800, 0xffff}) {
          StringBuilder text = new StringBuilder("x".repeat(length));
          text.setCharAt(at, c);
          assertThrows(IllegalArgumentException.class, () -> AsciiString.of(text.toString()));
          var e = assertThrows(IllegalArgumentException.class, () -> AsciiString.of(text));
          assertTrue(e.getMessage().contains("index " + at + " of " + length), e::getMessage);
          assertEquals(
              text.toString().replace(c, '?'), AsciiString.replacing(text, '?').toString());
        }
        byte[] bytes = "x".repeat(length).getBytes(US_ASCII);
        bytes[at] = (byte) 0x80;
        var e = assertThrows(IllegalArgumentException.class, () -> AsciiString.wrap(bytes));
        assertTrue(e.getMessage().contains("0x80 at index " + at), e::getMessage);
        assertThrows(IllegalArgumentException.class, () -> AsciiString.copyOf(bytes));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> AsciiString.replacing("x", 'é'));
    // The JDK's encoders write the same for these.
    assertEquals("a?b", AsciiString.of("a?b").toString());
    assertThrows(IllegalArgumentException.class, () -> AsciiString.of("a\ud800b"));
    assertThrows(IllegalArgumentException.class, () -> AsciiString.of("a?\udc00"));
  }

  @Test
  void bytesOutsideOfThePartDoNotMatter() {
    byte[] bytes = {-1, 'a', 'b', -1};
    assertEquals("ab", AsciiString.wrap(bytes, 1, 3).toString());
    assertEquals("ab", AsciiString.copyOf(bytes, 1, 3).toString());
    assertThrows(IndexOutOfBoundsException.class, () -> AsciiString.wrap(bytes, 3, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> AsciiString.copyOf(bytes, -1, 2));
  }

  @Test
  void copiesAreIndependentAndWrappedArraysAreNot() {
    byte[] bytes = {'a', 'b'};
    AsciiString copy = AsciiString.copyOf(bytes);
    AsciiString wrapped = AsciiString.wrap(bytes);
    bytes[0] = 'x';
    assertEquals("ab", copy.toString());
    assertEquals("xb", wrapped.toString());
  }

  @Test
  void partsOfPartsAreThoseOfStrings() {
    String model = "Content-Type: text/html; charset=utf-8";
    AsciiString text = RandomTexts.within(model, 3, 5);
    for (int from = 0; from <= model.length(); from++) {
      for (int to = from; to <= model.length(); to++) {
        AsciiString part = text.subSequence(from, to);
        assertEquals(model.substring(from, to), part.toString());
        byte[] target = new byte[part.length() + 2];
        assertEquals(part.length() + 1, part.copyTo(target, 1));
        assertEquals(model.substring(from, to), new String(target, 1, part.length(), US_ASCII));
      }
    }
    assertSame(text, text.subSequence(0));
    AsciiString part = text.subSequence(8, 12);
    assertThrows(IndexOutOfBoundsException.class, () -> part.charAt(4));
    assertThrows(IndexOutOfBoundsException.class, () -> part.charAt(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> part.subSequence(0, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> part.copyTo(new byte[3], 0));
  }

  @Test
  void equalityIsThatOfStringsAtEveryLengthAndPlace() {
    for (int length = 0; length < 80; length++) {
      String model = RandomTexts.draw(new Random(length), length, RandomTexts.allAscii());
      AsciiString text = RandomTexts.within(model, length % 7, 2);
      AsciiString same = RandomTexts.within(model, length % 5, 9);
      assertEquals(text, same);
      assertTrue(text.contentEquals(model));
      assertTrue(text.equalsConstantTime(same));
      assertEquals(0, text.compareTo(same));
      for (int at = 0; at < length; at++) {
        char[] chars = model.toCharArray();
        chars[at] ^= 1;
        AsciiString other = AsciiString.of(new String(chars));
        assertNotEquals(text, other);
        assertFalse(text.contentEquals(new String(chars)));
        assertFalse(text.equalsConstantTime(other));
        assertEquals(
            Integer.signum(model.compareTo(new String(chars))),
            Integer.signum(text.compareTo(other)));
      }
    }
  }

  @Test
  void anotherLengthIsAnotherText() {
    AsciiString text = AsciiString.of("abc\0");
    AsciiString shorter = AsciiString.of("abc");
    assertNotEquals(text, shorter);
    assertFalse(text.equalsConstantTime(shorter));
    assertFalse(text.equalsIgnoreCase(shorter));
    assertFalse(text.contentEquals("abc"));
    assertTrue(shorter.compareTo(text) < 0);
    assertNotEquals("abc", (Object) shorter);
  }

  @Test
  void trimTakesWhatStringTakes() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      String model = RandomTexts.draw(random, random.nextInt(8), " \t\0\r\n\u001fx!");
      assertEquals(model.trim(), RandomTexts.within(model, 2, 2).trim().toString());
    }
  }

  @Test
  void splittingIsUndoneByJoining() {
    Random random = new Random(2);
    for (int i = 0; i < 2_000; i++) {
      String model = RandomTexts.draw(random, random.nextInt(20), "ab,");
      int most = 1 + random.nextInt(5);
      AsciiString text = AsciiString.of(model);
      assertEquals(
          List.of(model.split(Pattern.quote(","), -1)),
          text.split(',').stream().map(AsciiString::toString).toList());
      assertEquals(
          List.of(model.split(Pattern.quote(","), most)),
          most == 1
              ? List.of(model)
              : text.split(',', most).stream().map(AsciiString::toString).toList());
    }
    assertThrows(IllegalArgumentException.class, () -> AsciiString.EMPTY.split(',', 0));
  }

  @Test
  void theStringIsMadeOnce() {
    AsciiString text = AsciiString.of("host");
    assertSame(text.toString(), text.toString());
    assertEquals(
        List.of("a", "b"),
        Stream.of("b", "a").map(AsciiString::of).sorted().map(AsciiString::toString).toList());
  }
}
