package dev.quickwater.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;

/// Any text gives the same result as characters and as bytes, and the three forms give the result
/// of java.time.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. Like this parser, the JDK's strict
/// resolver refuses a day that does not exist and a wrong day of the week. Leap seconds are an
/// addition of this parser.
final class HttpDateFuzzTest {

  private static final long REFERENCE = 1_790_000_000L; // in 2026

  private static final DateTimeFormatter FIXED = form("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
  private static final DateTimeFormatter ASCTIME = form("EEE MMM ppd HH:mm:ss uuuu");

  private static DateTimeFormatter form(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  @FuzzTest(maxDuration = "60s")
  void readAsTheJdkReads(byte[] data) {
    String text = new String(data, ISO_8859_1);
    long seconds = HttpDate.parseSeconds(text, REFERENCE);
    assertEquals(seconds, HttpDate.parseSeconds(data, 0, data.length, REFERENCE));
    if (text.length() == HttpDate.LENGTH && text.charAt(3) == ',') {
      differ(text, seconds, FIXED);
    } else if (text.length() == 24) {
      differ(text, seconds, ASCTIME);
    }
    if (seconds != HttpDate.INVALID) {
      assertEquals(seconds, HttpDate.parseSeconds(HttpDate.format(seconds)));
      assertEquals(
          text.length() == HttpDate.LENGTH,
          text.equals(HttpDate.format(seconds))
              || text.length() == HttpDate.LENGTH && text.contains(":60 "));
      assertNotEquals(HttpDate.INVALID, seconds);
    }
  }

  private static void differ(String text, long seconds, DateTimeFormatter form) {
    long theirs;
    try {
      LocalDateTime time = LocalDateTime.parse(text, form);
      boolean isInRange = time.getYear() >= 0 && time.getYear() < 10_000;
      theirs = isInRange ? time.toEpochSecond(ZoneOffset.UTC) : HttpDate.INVALID;
    } catch (DateTimeException _) {
      theirs = HttpDate.INVALID;
    }
    if (!text.contains(":59:60 ")) {
      assertEquals(theirs, seconds, text);
    }
  }
}
