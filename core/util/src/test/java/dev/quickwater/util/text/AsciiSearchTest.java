package dev.quickwater.util.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Everything is found where `String` finds it.
final class AsciiSearchTest {

  @Test
  void charactersAreFoundWhereStringsHaveThem() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      String model = RandomTexts.draw(random, random.nextInt(45), "\0\1ab\177");
      AsciiString text = RandomTexts.within(model, random.nextInt(4), random.nextInt(4));
      int from = random.nextInt(model.length() + 1);
      char c = "\0a\177A".charAt(random.nextInt(4));
      assertEquals(model.indexOf(c, from), text.indexOf(c, from), model);
      assertEquals(model.indexOf(c), text.indexOf(c), model);
    }
  }

  @Test
  void textsAreFoundWhereStringsHaveThem() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      String model = RandomTexts.draw(random, random.nextInt(60), "aAbB");
      String needle = RandomTexts.draw(random, random.nextInt(7), "aAbB");
      AsciiString text = RandomTexts.within(model, random.nextInt(4), random.nextInt(4));
      AsciiString part = RandomTexts.within(needle, random.nextInt(4), 1);
      int from = random.nextInt(model.length() + 1);
      int expected = model.indexOf(needle, from);
      assertEquals(expected, text.indexOf(needle, from), model + " " + needle);
      assertEquals(expected, text.indexOf(part, from), model + " " + needle);
      assertEquals(model.contains(needle), text.contains(part));
      int folded = model.toLowerCase(Locale.ROOT).indexOf(needle.toLowerCase(Locale.ROOT), from);
      assertEquals(folded, text.indexOfIgnoreCase(needle, from), model + " " + needle);
      assertEquals(folded, text.indexOfIgnoreCase(part, from), model + " " + needle);
      assertEquals(model.startsWith(needle), text.startsWith(part));
      assertEquals(model.endsWith(needle), text.endsWith(needle));
    }
  }

  @Test
  void aLongNeedleIsFoundAtEachPlace() {
    String needle = "Set-Cookie: a=b; Path=/; HttpOnly";
    for (int before = 0; before < 30; before++) {
      for (int behind = 0; behind < 12; behind++) {
        String model = "S".repeat(before) + needle + "y".repeat(behind);
        AsciiString text = AsciiString.of(model);
        assertEquals(before, text.indexOf(AsciiString.of(needle)));
        assertEquals(before, text.indexOfIgnoreCase(needle.toUpperCase(Locale.ROOT), 0));
        assertFalse(text.contains(needle.toUpperCase(Locale.ROOT)));
        assertTrue(text.containsIgnoreCase(AsciiString.of(needle.toLowerCase(Locale.ROOT))));
      }
    }
  }

  @Test
  void whatIsNotAsciiIsNowhere() {
    AsciiString text = AsciiString.of("abc".repeat(20) + "\1");
    assertEquals(-1, text.indexOf('\u0161')); // its low byte is that of 'a'
    assertEquals(-1, text.indexOf("a\u0162c"));
    assertEquals(-1, text.indexOf("\u0161"));
    assertFalse(text.contentEquals("\u0161".repeat(61)));
  }

  @Test
  void regionsOutsideOfATextMatchNothing() {
    AsciiString text = AsciiString.of("Hello");
    assertTrue(text.regionMatches(1, "ell", 0, 3));
    assertTrue(text.regionMatchesIgnoreCase(1, "xELL", 1, 3));
    assertTrue(text.regionMatches(5, "", 0, 0));
    int[][] outside = {{-1, 0, 1}, {0, -1, 1}, {5, 0, 1}, {0, 3, 1}, {0, 0, -1}, {0, 0, 4}};
    for (int[] region : outside) {
      assertFalse(text.regionMatches(region[0], "Hel", region[1], region[2]));
      assertFalse(text.regionMatchesIgnoreCase(region[0], "Hel", region[1], region[2]));
    }
    assertFalse(text.regionMatches(2, "x", Integer.MAX_VALUE, Integer.MAX_VALUE));
    assertThrows(IndexOutOfBoundsException.class, () -> text.indexOf('x', 6));
    assertThrows(IndexOutOfBoundsException.class, () -> text.indexOf("x", -1));
  }
}
