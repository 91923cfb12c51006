package dev.quickwater.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 6265 section 5.1.1.
final class CookieDateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sun, 06 Nov 1994 08:49:37 GMT     | 1994-11-06T08:49:37Z",
        "Sunday, 06-Nov-94 08:49:37 GMT    | 1994-11-06T08:49:37Z",
        "Sun Nov  6 08:49:37 1994          | 1994-11-06T08:49:37Z",
        "Mon Nov  6 08:49:37 1994          | 1994-11-06T08:49:37Z",
        "Wed, 31 December 69 1:2:3         | 2069-12-31T01:02:03Z",
        "1 JANUARYxyz 70 0:0:0             | 1970-01-01T00:00:00Z",
        "08:49:37 6 nov 1994               | 1994-11-06T08:49:37Z",
        "1994 nov 08:49:37 6               | 1994-11-06T08:49:37Z",
        "6 94 nov 08:49:37                 | 1994-11-06T08:49:37Z",
        "6th nov 1994th 08:49:37pm         | 1994-11-06T08:49:37Z",
        "6,nov/1994;08:49:37               | 1994-11-06T08:49:37Z",
        "6 nov 1601 00:00:00               | 1601-11-06T00:00:00Z",
        "6 nov 9999 23:59:59               | 9999-11-06T23:59:59Z",
        "29 feb 2000 00:00:00              | 2000-02-29T00:00:00Z",
        "6 nov 1994 08:49:37 09:00:00      | 1994-11-06T08:49:37Z",
        "6 nov dec 1994 1995 08:49:37      | 1994-11-06T08:49:37Z",
        "6 nov 1994 08:49:37:99            | 1994-11-06T08:49:37Z",
        "gmt utc 6 nov 1994 08:49:37       | 1994-11-06T08:49:37Z"
      })
  void textsThatUserAgentsRead(String text, Instant time) {
    assertEquals(time, CookieDate.parse(text));
    byte[] bytes = ("x" + text + "x").getBytes(ISO_8859_1);
    assertEquals(time.getEpochSecond(), CookieDate.parseSeconds(bytes, 1, bytes.length - 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "06 Nov 1994",
        "06 Nov 08:49:37",
        "Nov 1994 08:49:37",
        "06 1994 08:49:37",
        "00 Nov 1994 08:49:37",
        "31 Nov 1994 08:49:37",
        "32 Dec 1994 08:49:37",
        "29 Feb 1900 08:49:37",
        "6 nov 1600 00:00:00",
        "6 nov 1994 24:00:00",
        "6 nov 1994 08:60:00",
        "6 nov 1994 08:49:60",
        "6 nov 1994 08:49",
        "6 nov 1994 008:49:37",
        "6 nov 1994 08:49:377",
        "006 nov 1994 08:49:37",
        "6 nov 5 08:49:37",
        "6 nov 12345 08:49:37",
        "6 no 1994 08:49:37",
        "6 nov 1994 08 :49:37",
        "6\u0001nov 1994 08:49:37",
        "6 nov\u0661 1994 \u0660\u0668:49:37"
      })
  void textsThatTheyDoNot(String text) {
    assertNull(CookieDate.parse(text));
  }

  @Test
  void thePiecesMayComeInAnyOrderBetweenAnyDelimiters() {
    Random random = new Random(1);
    StringBuilder delimiters = new StringBuilder("\t");
    for (int c = 0x20; c < 0x7f; c++) {
      if (c <= 0x2f || c >= 0x3b && c <= 0x40 || c >= 0x5b && c <= 0x60 || c >= 0x7b) {
        delimiters.append((char) c);
      }
    }
    String[] months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
    for (int i = 0; i < 20_000; i++) {
      LocalDateTime time =
          LocalDateTime.of(1970 + random.nextInt(100), 1, 1, 0, 0)
              .plusSeconds(random.nextInt(365 * 86_400));
      String year = i % 2 == 0 ? "" + time.getYear() : "%02d".formatted(time.getYear() % 100);
      List<String> pieces =
          new ArrayList<>(
              List.of(
                  time.getHour() + ":" + time.getMinute() + ":" + time.getSecond(),
                  months[time.getMonthValue() - 1],
                  "%02d".formatted(time.getDayOfMonth())));
      Collections.shuffle(pieces, random);
      // A year of two digits differs from a day only by its later position.
      pieces.add(year);
      char delimiter = delimiters.charAt(random.nextInt(delimiters.length()));
      String text = String.join("" + delimiter, pieces);
      assertEquals(time.toInstant(ZoneOffset.UTC), CookieDate.parse(text), text);
    }
  }

  /// Characters that are neither a delimiter nor part of a piece make it a different word.
  @Test
  void everyByteIsADelimiterOrIsNot() {
    for (char c = 0; c < 256; c++) {
      boolean isDelimiter =
          c == 9
              || c >= 0x20 && c <= 0x2f
              || c >= 0x3b && c <= 0x40
              || c >= 0x5b && c <= 0x60
              || c >= 0x7b && c <= 0x7e;
      String text = "6 xx" + c + "nov 1994 08:49:37";
      assertEquals(isDelimiter, CookieDate.parse(text) != null, "character " + (int) c);
    }
  }
}
