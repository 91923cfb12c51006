package dev.quickwater.util.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Hashes agree with the equalities, however a text is stored, and spread.
final class AsciiHashTest {

  @Test
  void bytesPartsAndTextsHaveOneHash() {
    Random random = new Random(1);
    for (int length = 0; length < 120; length++) {
      String model = RandomTexts.draw(random, length, RandomTexts.allAscii());
      AsciiString part = RandomTexts.within(model, 1 + length % 9, length % 3);
      byte[] bytes = model.getBytes(US_ASCII);
      int hash = AsciiString.of(model).hashCode();
      assertEquals(hash, part.hashCode(), model);
      assertEquals(hash, AsciiString.hash(model), model);
      assertEquals(hash, AsciiString.hash(new StringBuilder(model)), model);
      assertEquals(hash, AsciiString.hash(bytes, 0, length), model);
      int folded = part.hashIgnoreCase();
      assertEquals(folded, AsciiString.hashIgnoreCase(model), model);
      assertEquals(folded, AsciiString.hashIgnoreCase(part), model);
      assertEquals(folded, AsciiString.hashIgnoreCase(bytes, 0, length), model);
      assertEquals(hash, part.hashCode(), "kept otherwise");
      assertEquals(folded, part.hashIgnoreCase(), "kept otherwise");
    }
  }

  @Test
  void hashesIgnoreTheCaseThatEqualsIgnores() {
    Random random = new Random(2);
    for (int i = 0; i < 3_000; i++) {
      String model = RandomTexts.draw(random, random.nextInt(40), RandomTexts.allAscii());
      String upper = model.toUpperCase(Locale.ROOT);
      assertTrue(AsciiString.of(model).equalsIgnoreCase(AsciiString.of(upper)));
      assertEquals(
          AsciiString.of(model).hashIgnoreCase(), AsciiString.of(upper).hashIgnoreCase(), model);
      assertEquals(AsciiString.hashIgnoreCase(model), AsciiString.hashIgnoreCase(upper), model);
    }
  }

  @Test
  void hashesOfOtherTextsAgreeWithEqualsIgnoreCase() {
    for (char c = 0; c < 0x400; c++) {
      for (char d : new char[] {c, (char) (c ^ 0x20), (char) (c ^ 0x100)}) {
        String a = "x" + c + "y";
        String b = "X" + d + "Y";
        if (AsciiString.equalsIgnoreCase(a, b)) {
          assertEquals(AsciiString.hashIgnoreCase(a), AsciiString.hashIgnoreCase(b), a + " " + b);
        }
      }
    }
  }

  /// Whatever stands for four characters of which one is beyond ASCII, which depends on the keys of
  /// the process.
  @Test
  void charactersBeyondAsciiLeaveTheCaseOfTheirNeighboursAlone() {
    for (int c = 0x80; c < 0x880; c++) {
      for (int at = 0; at < 12; at++) {
        StringBuilder lower = new StringBuilder("zazzzzazzzzzaz");
        StringBuilder upper = new StringBuilder("ZAZZZZAZZZZZAZ");
        lower.setCharAt(at, (char) c);
        upper.setCharAt(at, (char) c);
        assertEquals(
            AsciiHash.ofChars(lower, true), AsciiHash.ofChars(upper, true), lower.toString());
      }
    }
  }

  @Test
  void namesThatDifferInCaseAloneAreToldApart() {
    Set<Integer> hashes = new HashSet<>();
    int names = 1 << 14;
    for (int i = 0; i < names; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        name.append((char) ((i >> bit & 1) == 0 ? 'a' + bit : 'A' + bit));
      }
      hashes.add(AsciiString.of(name).hashCode());
    }
    // About 0.03 collisions are to be expected of a random function of 32 bits.
    assertTrue(hashes.size() > names - 20, () -> hashes.size() + " of " + names);
  }

  /// For each pair of bits in one bucket of 2^12, as tables use them.
  @Test
  void numberedNamesSpreadOverBucketsOfEitherEnd() {
    for (String format : new String[] {"%d", "x-header-%05d", "%016x", "%d-and-a-long-tail-here"}) {
      int[] low = new int[1 << 12];
      int[] high = new int[1 << 12];
      int names = 1 << 15;
      for (int i = 0; i < names; i++) {
        int hash = AsciiString.of(format.formatted(i)).hashCode();
        low[hash & 0xfff]++;
        high[hash >>> 20]++;
      }
      for (int i = 0; i < low.length; i++) {
        // Eight are expected; forty are about as likely as guessing a number of 40 bits.
        assertTrue(low[i] < 40 && high[i] < 40, format + ": " + low[i] + " " + high[i]);
      }
    }
  }

  @Test
  void paddingWithZerosIsAnotherHash() {
    for (int length = 0; length < 40; length++) {
      AsciiString text = AsciiString.wrap(new byte[length]);
      AsciiString longer = AsciiString.wrap(new byte[length + 1]);
      assertNotEquals(text.hashCode(), longer.hashCode(), "zeros " + length);
    }
  }
}
