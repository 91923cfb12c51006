package dev.quickwater.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 section 5.6.7: the fixed form, and the rules of all three forms.
final class HttpDateTest {

  private static final Instant EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");

  static final DateTimeFormatter FIXED =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT);

  @Test
  void exampleOfTheRfc() {
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
    assertEquals(EXAMPLE, HttpDate.parse("Sun, 06 Nov 1994 08:49:37 GMT"));
  }

  @Test
  void everyDayOfTheCalendarIsWrittenAndRead() {
    byte[] text = new byte[HttpDate.LENGTH];
    Random random = new Random(1);
    for (LocalDate day = LocalDate.of(0, 1, 1); day.getYear() < 10_000; day = day.plusDays(1)) {
      int ofDay = random.nextInt(86_400);
      long seconds = day.toEpochDay() * 86_400 + ofDay;
      assertEquals(HttpDate.LENGTH, HttpDate.format(seconds, text, 0));
      assertEquals(seconds, HttpDate.parseSeconds(text, 0, text.length, 0));
      assertEquals(day.getDayOfMonth(), number(text, 5, 2));
      assertEquals(day.getYear(), number(text, 12, 4));
      assertEquals("MonTueWedThuFriSatSun".charAt(3 * day.getDayOfWeek().ordinal() + 1), text[1]);
      int month = 3 * day.getMonth().ordinal();
      assertEquals("JanFebMarAprMayJunJulAugSepOctNovDec".charAt(month + 1), text[9]);
      assertEquals("JanFebMarAprMayJunJulAugSepOctNovDec".charAt(month + 2), text[10]);
      assertEquals(
          ofDay, (number(text, 17, 2) * 60 + number(text, 20, 2)) * 60 + number(text, 23, 2));
    }
  }

  private static int number(byte[] text, int from, int digits) {
    int number = 0;
    for (int i = from; i < from + digits; i++) {
      number = number * 10 + text[i] - '0';
    }
    return number;
  }

  @Test
  void randomSecondsAreWrittenAsTheJdkWritesThem() {
    Random random = new Random(2);
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      for (int i = 0; i < 50_000; i++) {
        long seconds = random.nextLong(HttpDate.MIN_SECONDS, HttpDate.MAX_SECONDS + 1);
        String text = FIXED.format(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC));
        assertEquals(text, HttpDate.format(seconds));
        assertEquals(seconds, HttpDate.parseSeconds(text));
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void anyTargetIsWrittenAlike() {
    byte[] array = new byte[40];
    assertEquals(34, HttpDate.format(EXAMPLE.getEpochSecond(), array, 5));
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", new String(array, 5, 29, US_ASCII));
    ByteBuf buffer = ByteBuf.wrap(new byte[40]).clear().writeByte('x');
    HttpDate.write(EXAMPLE.getEpochSecond(), buffer);
    assertEquals("xSun, 06 Nov 1994 08:49:37 GMT", buffer.toString(US_ASCII));
    buffer.release();
    assertThrows(IndexOutOfBoundsException.class, () -> HttpDate.format(0, new byte[29], 1));
    assertThrows(IndexOutOfBoundsException.class, () -> HttpDate.format(0, new byte[29], -1));
  }

  @Test
  void theRangeIsTheYears0To9999() {
    assertEquals("Sat, 01 Jan 0000 00:00:00 GMT", HttpDate.format(HttpDate.MIN_SECONDS));
    assertEquals("Fri, 31 Dec 9999 23:59:59 GMT", HttpDate.format(HttpDate.MAX_SECONDS));
    for (long seconds :
        new long[] {
          HttpDate.MIN_SECONDS - 1, HttpDate.MAX_SECONDS + 1, Long.MIN_VALUE, Long.MAX_VALUE
        }) {
      assertThrows(IllegalArgumentException.class, () -> HttpDate.format(seconds));
    }
    assertThrows(IllegalArgumentException.class, () -> HttpDate.format(Instant.MAX));
    assertTrue(HttpDate.isInRange(Instant.ofEpochSecond(HttpDate.MAX_SECONDS, 999_999_999)));
    assertTrue(HttpDate.isInRange(Instant.ofEpochSecond(HttpDate.MIN_SECONDS)));
    assertFalse(HttpDate.isInRange(Instant.ofEpochSecond(HttpDate.MAX_SECONDS + 1)));
    assertFalse(HttpDate.isInRange(Instant.ofEpochSecond(HttpDate.MIN_SECONDS, -1)));
    assertEquals("Wed, 31 Dec 1969 23:59:59 GMT", HttpDate.format(Instant.EPOCH.minusNanos(1)));
  }

  @Test
  void aLeapSecondIsTheSecondAfterIt() {
    assertEquals(
        Instant.parse("2017-01-01T00:00:00Z"), HttpDate.parse("Sat, 31 Dec 2016 23:59:60 GMT"));
    assertNull(HttpDate.parse("Sat, 31 Dec 2016 23:58:60 GMT"));
    assertNull(HttpDate.parse("Sat, 31 Dec 2016 22:59:60 GMT"));
    assertNull(HttpDate.parse("Sat, 31 Dec 2016 23:59:61 GMT"));
    assertNull(HttpDate.parse("Fri, 31 Dec 9999 23:59:60 GMT"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Thu, 29 Feb 1900 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 NOV 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun,  6 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun; 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT",
        "Sun, 06 Nov +994 08:49:37 GMT",
        "Sun, 06 Nov 199\u0664 08:49:37 GMT",
        "\u0153un, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 \0\u4a61n 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GM\0"
      })
  void otherTextsAreNoDates(String text) {
    assertNull(HttpDate.parse(text));
    assertEquals(HttpDate.INVALID, HttpDate.parseSeconds(text, 0));
    byte[] bytes = text.getBytes(US_ASCII);
    assertEquals(HttpDate.INVALID, HttpDate.parseSeconds(bytes, 0, bytes.length, 0));
  }

  /// Replacing a character by any other one gives no date, or a date whose written form is the
  /// changed text.
  @Test
  void oneWrongCharacterIsSeen() {
    String date = "Sun, 06 Nov 1994 08:49:37 GMT";
    int accepted = 0;
    for (int at = 0; at < date.length(); at++) {
      for (char c = 0; c < 256; c++) {
        String text = date.substring(0, at) + c + date.substring(at + 1);
        long seconds = HttpDate.parseSeconds(text);
        if (seconds != HttpDate.INVALID) {
          assertEquals(text, HttpDate.format(seconds));
          accepted++;
        }
      }
    }
    // 29 times the date itself; another hour, minute or second is one too, and so are the 13th,
    // and years whose sixth of November is a Sunday.
    assertTrue(accepted > 29 + 30 && accepted < 29 + 60, "accepted " + accepted);
  }
}
