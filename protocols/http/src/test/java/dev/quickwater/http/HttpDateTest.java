package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 section 5.6.7.
final class HttpDateTest {

  private static final Instant EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");

  @Test
  void exampleOfTheRfc() {
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
    assertEquals(EXAMPLE, HttpDate.parse("Sun, 06 Nov 1994 08:49:37 GMT"));
  }

  @Test
  void everyMonthAndDayHasItsEnglishName() {
    String[] months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
    String[] days = "Mon Tue Wed Thu Fri Sat Sun".split(" ");
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      for (int i = 0; i < 365; i++) {
        OffsetDateTime time = OffsetDateTime.of(2026, 1, 1, 1, 2, 3, 0, ZoneOffset.UTC).plusDays(i);
        String text =
            "%s, %02d %s 2026 01:02:03 GMT"
                .formatted(
                    days[time.getDayOfWeek().getValue() - 1],
                    time.getDayOfMonth(),
                    months[time.getMonthValue() - 1]);
        assertEquals(text, HttpDate.format(time.toInstant()));
        assertEquals(time.toInstant(), HttpDate.parse(text));
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT"
      })
  void otherTextsAreNoDates(String text) {
    assertNull(HttpDate.parse(text));
  }
}
