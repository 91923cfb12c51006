package dev.quickwater.util.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AsciiNumberTest {

  @Test
  void numbersOfAllSizesAreRead() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      assertEquals(value, AsciiString.of(Long.toString(value)).parseLong());
      assertEquals((int) value, AsciiString.of(Integer.toString((int) value)).parseInt());
    }
    assertEquals(7, RandomTexts.within("007", 3, 3).parseInt());
    assertEquals(0, AsciiString.of("-0").parseInt());
  }

  @Test
  void theRangeIsExact() {
    for (BigInteger edge :
        new BigInteger[] {BigInteger.valueOf(Long.MAX_VALUE), BigInteger.valueOf(Long.MIN_VALUE)}) {
      assertEquals(edge.longValueExact(), AsciiString.of(edge.toString()).parseLong());
      assertThrows(
          NumberFormatException.class,
          () -> AsciiString.of(edge.add(BigInteger.valueOf(edge.signum())).toString()).parseLong());
      assertThrows(
          NumberFormatException.class,
          () -> AsciiString.of(edge.multiply(BigInteger.TEN).toString()).parseLong());
    }
    assertEquals(Integer.MAX_VALUE, AsciiString.of("2147483647").parseInt());
    assertEquals(Integer.MIN_VALUE, AsciiString.of("-2147483648").parseInt());
    var e =
        assertThrows(NumberFormatException.class, () -> AsciiString.of("2147483648").parseInt());
    assertTrue(e.getMessage().contains("-2147483648 and 2147483647"), e::getMessage);
    assertThrows(NumberFormatException.class, () -> AsciiString.of("-2147483649").parseInt());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "1_000", "--1", "1-", "\0001", ":"})
  void otherTextsAreNoNumbers(String text) {
    assertThrows(NumberFormatException.class, () -> AsciiString.of(text).parseLong());
    assertThrows(NumberFormatException.class, () -> AsciiString.of(text).parseInt());
  }

  @Test
  void theErrorSaysWhereAndStaysShort() {
    var e = assertThrows(NumberFormatException.class, () -> AsciiString.of("12x4").parseInt());
    assertTrue(e.getMessage().contains("\"12x4\"") && e.getMessage().contains("index 2"));
    String flood = "1".repeat(100_000);
    var f = assertThrows(NumberFormatException.class, () -> AsciiString.of(flood).parseLong());
    assertTrue(f.getMessage().length() < 200, f::getMessage);
  }
}
