package dev.quickwater.util.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Letters change, nothing else does, and a text that has nothing to change stays the same object.
final class AsciiCaseTest {

  @Test
  void caseIsThatOfStrings() {
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      String model = RandomTexts.draw(random, random.nextInt(50), RandomTexts.allAscii());
      AsciiString text = RandomTexts.within(model, random.nextInt(9), random.nextInt(3));
      assertEquals(model.toLowerCase(Locale.ROOT), text.toLowerCase().toString());
      assertEquals(model.toUpperCase(Locale.ROOT), text.toUpperCase().toString());
    }
  }

  @Test
  void aTextOfTheCaseWantedIsReturnedItself() {
    for (int length = 0; length < 40; length++) {
      AsciiString lower = RandomTexts.within("a@z[`{~0".repeat(5).substring(0, length), 1, 1);
      assertSame(lower, lower.toLowerCase());
      AsciiString upper = RandomTexts.within("A@Z[`{~0".repeat(5).substring(0, length), 1, 1);
      assertSame(upper, upper.toUpperCase());
    }
  }

  @Test
  void oneLetterAtAnyPlaceIsFound() {
    for (int length = 1; length < 40; length++) {
      for (int at = 0; at < length; at++) {
        StringBuilder text = new StringBuilder("-".repeat(length));
        text.setCharAt(at, 'Q');
        AsciiString upper = AsciiString.of(text);
        text.setCharAt(at, 'q');
        assertEquals(text.toString(), upper.toLowerCase().toString());
        assertTrue(upper.equalsIgnoreCase(AsciiString.of(text)));
        assertTrue(upper.equalsIgnoreCase(text));
        text.setCharAt(at, 'r');
        assertFalse(upper.equalsIgnoreCase(AsciiString.of(text)));
        assertFalse(upper.equalsIgnoreCase(text));
      }
    }
  }

  @Test
  void equalityWithoutCaseIsThatOfStringsForEachPairOfCharacters() {
    for (char a = 0; a < 128; a++) {
      for (char b = 0; b < 128; b++) {
        String x = "header" + a + "name";
        String y = "HEADER" + b + "NAME";
        boolean expected = x.equalsIgnoreCase(y);
        assertEquals(expected, AsciiString.of(x).equalsIgnoreCase(AsciiString.of(y)), x + y);
        assertEquals(expected, AsciiString.of(x).equalsIgnoreCase(y), x + y);
        assertEquals(expected, AsciiString.equalsIgnoreCase(x, y), x + y);
        assertEquals(expected, AsciiString.equalsIgnoreCase(x, AsciiString.of(y)), x + y);
      }
    }
  }

  @Test
  void onlyAsciiHasCase() {
    assertFalse(AsciiString.equalsIgnoreCase("É", "é"));
    assertFalse(AsciiString.equalsIgnoreCase("K", "\u212a"), "the Kelvin sign is no k");
    assertFalse(AsciiString.of("i").equalsIgnoreCase("\u0130"));
    assertTrue(AsciiString.equalsIgnoreCase("é", "é"));
  }
}
