package dev.quickwater.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The forms of RFC 850 and of `asctime`.
final class ObsoleteDateTest {

  private static final Instant EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");

  private static final DateTimeFormatter RFC850 =
      DateTimeFormatter.ofPattern("EEEE, dd-MMM-uu HH:mm:ss 'GMT'", Locale.ENGLISH);
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ROOT);

  @Test
  void examplesOfTheRfc() {
    assertEquals(EXAMPLE, HttpDate.parse("Sunday, 06-Nov-94 08:49:37 GMT"));
    assertEquals(EXAMPLE, HttpDate.parse("Sun Nov  6 08:49:37 1994"));
  }

  @Test
  void bothFormsAreReadAsTheJdkWritesThem() {
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      long seconds = random.nextLong(HttpDate.MIN_SECONDS, HttpDate.MAX_SECONDS + 1);
      LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
      assertEquals(seconds, HttpDate.parseSeconds(ASCTIME.format(time)));
      // Every time within fifty years of the reference is read back.
      long distance = random.nextLong(-49L * 365 * 86_400, 49L * 365 * 86_400);
      long reference = Math.clamp(seconds + distance, HttpDate.MIN_SECONDS, HttpDate.MAX_SECONDS);
      String text = RFC850.format(time);
      assertEquals(seconds, HttpDate.parseSeconds(text, reference), text);
      byte[] bytes = text.getBytes(US_ASCII);
      assertEquals(seconds, HttpDate.parseSeconds(bytes, 0, bytes.length, reference), text);
    }
  }

  @Test
  void fiftyYearsAheadAreAheadAndASecondMoreIsPast() {
    LocalDateTime now = LocalDateTime.of(2026, 6, 15, 12, 30, 30);
    assertYear(2076, now, now.withYear(2076));
    assertYear(1976, now, now.withYear(1976).plusSeconds(1));
    assertYear(1976, now, now.withYear(1976).plusDays(1));
    assertYear(1976, now, now.withYear(1976).plusMonths(1));
    assertYear(2076, now, now.withYear(2076).minusMonths(1));
    assertYear(1977, now, now.withYear(1977));
    assertYear(2025, now, now.withYear(2025));
    assertYear(2000, now.withYear(1999), now.withYear(2000));
    assertYear(1999, now.withYear(2000), now.withYear(1999));
  }

  private static void assertYear(int year, LocalDateTime now, LocalDateTime time) {
    Instant reference = now.toInstant(ZoneOffset.UTC);
    Instant parsed = HttpDate.parse(RFC850.format(time.withYear(year)), reference);
    assertEquals(time.withYear(year).toInstant(ZoneOffset.UTC), parsed);
  }

  @Test
  void withoutAReferenceItIsNow() {
    LocalDateTime tomorrow = LocalDateTime.now(ZoneOffset.UTC).plusDays(1).withNano(0);
    Instant parsed = HttpDate.parse(RFC850.format(tomorrow));
    assertEquals(tomorrow.toInstant(ZoneOffset.UTC), parsed);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, HttpDate.MIN_SECONDS - 1, HttpDate.MAX_SECONDS + 1})
  void noReferenceOutOfRangeMeansNow(long reference) {
    assertThrows(
        IllegalArgumentException.class,
        () -> HttpDate.parseSeconds("Sunday, 06-Nov-94 08:49:37 GMT", reference));
  }

  @Test
  void aReferenceOutOfRangeIsAnErrorOnlyWhereItIsNeeded() {
    assertEquals(
        EXAMPLE.getEpochSecond(),
        HttpDate.parseSeconds("Sun Nov  6 08:49:37 1994", Long.MAX_VALUE));
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> HttpDate.parseSeconds("Sunday, 06-Nov-94 08:49:37 GMT", Long.MAX_VALUE));
    assertTrue(e.getMessage().contains("years 0 to 9999"), e::getMessage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06-Nov-94 08:49:37 GMT",
        "Monday, 06-Nov-94 08:49:37 GMT",
        "sunday, 06-Nov-94 08:49:37 GMT",
        "SUNDAY, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 94 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 UTC",
        "Sunday, 06-Nov-94 25:49:37 GMT",
        "Sunday, 31-Nov-94 08:49:37 GMT",
        "Someday, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-9x 08:49:37 GMT",
        "Wednesday,06-Nov-94 08:49:37  GMT",
        "Sun Nov 06 08:49:37 94",
        "Sun Nov 6 08:49:37 1994",
        "Mon Nov  6 08:49:37 1994",
        "Sun Nov  x 08:49:37 1994",
        "Sun Nov  0 08:49:37 1994",
        "Sun Nov 31 08:49:37 1994",
        "Sun Nov  6 08:49:37 199x",
        "Sun, Nov 6 08:49:37 1994",
        "SunxNov  6 08:49:37 1994"
      })
  void otherTextsAreNoDates(String text) {
    assertNull(HttpDate.parse(text));
  }
}
