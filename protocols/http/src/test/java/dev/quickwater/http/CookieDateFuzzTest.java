package dev.quickwater.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Any text gives the result of the grammar of RFC 6265 section 5.1.1, written as regular
/// expressions, with dates of java.time.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`.
final class CookieDateFuzzTest {

  private static final Pattern DELIMITERS =
      Pattern.compile("[\\x09\\x20-\\x2f\\x3b-\\x40\\x5b-\\x60\\x7b-\\x7e]+");
  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[^0-9].*)?", Pattern.DOTALL);
  private static final Pattern DAY = Pattern.compile("([0-9]{1,2})(?:[^0-9].*)?", Pattern.DOTALL);
  private static final Pattern YEAR = Pattern.compile("([0-9]{2,4})(?:[^0-9].*)?", Pattern.DOTALL);
  private static final Pattern MONTH =
      Pattern.compile(
          "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
  private static final List<String> MONTHS =
      List.of("jan feb mar apr may jun jul aug sep oct nov dec".split(" "));

  @FuzzTest(maxDuration = "60s")
  void readAsTheGrammarReads(byte[] data) {
    String text = new String(data, ISO_8859_1);
    long seconds = CookieDate.parseSeconds(text);
    assertEquals(seconds, CookieDate.parseSeconds(data, 0, data.length));
    assertEquals(byGrammar(text), seconds, text);
  }

  private static long byGrammar(String text) {
    Matcher[] found = new Matcher[4];
    Pattern[] pieces = {TIME, DAY, MONTH, YEAR};
    for (String word : DELIMITERS.split(text)) {
      for (int i = 0; i < pieces.length; i++) {
        Matcher matcher = pieces[i].matcher(word);
        if (found[i] == null && matcher.matches()) {
          found[i] = matcher;
          break;
        }
      }
    }
    for (Matcher piece : found) {
      if (piece == null) {
        return CookieDate.INVALID;
      }
    }
    int year = number(found[3], 1);
    year += year < 70 ? 2000 : year < 100 ? 1900 : 0;
    String month = found[2].group(1).toLowerCase(java.util.Locale.ROOT);
    if (year < 1601) {
      return CookieDate.INVALID;
    }
    try {
      return LocalDateTime.of(
              year,
              1 + MONTHS.indexOf(month),
              number(found[1], 1),
              number(found[0], 1),
              number(found[0], 2),
              number(found[0], 3))
          .toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException _) {
      return CookieDate.INVALID;
    }
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
