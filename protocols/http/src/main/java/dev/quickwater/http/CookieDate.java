package dev.quickwater.http;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Dates of cookies as user agents read them (RFC 6265 section 5.1.1): any text that contains a
/// time, a day, a month and a year, in any order and among other words.
///
/// The algorithm follows the steps of the RFC. In a word, characters after the number are optional
/// (erratum 4148). Years 0 to 69 are in the 21st century, 70 to 99 in the 20th. Characters above
/// 255 count as letters. The work is linear in the length, which the caller limits. Use [HttpDate]
/// to write dates of cookies.
///
/// Times are seconds since 1970-01-01T00:00:00Z. Only [#parse] allocates.
public final class CookieDate {

  /// The result for a text that is not a date.
  public static final long INVALID = HttpDate.INVALID;

  private CookieDate() {}

  /// The time of a text; null if the text is not a date, which user agents ignore.
  public static @Nullable Instant parse(CharSequence text) {
    long seconds = parseSeconds(text);
    return seconds == INVALID ? null : Instant.ofEpochSecond(seconds);
  }

  /// The seconds of a text, or [#INVALID].
  public static long parseSeconds(CharSequence text) {
    return read(text, null, 0, text.length());
  }

  /// The seconds of the text in the bytes `[from, to)`, or [#INVALID].
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static long parseSeconds(byte[] text, int from, int to) {
    Objects.checkFromToIndex(from, to, text.length);
    return read(null, text, from, to);
  }

  /// Step 2: matches each word with the pieces that are still missing, in the order of the RFC.
  private static long read(@Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    int time = -1;
    int day = -1;
    int month = -1;
    int year = -1;
    int i = from;
    while (i < to) {
      if (isDelimiter(DateText.at(text, bytes, i))) {
        i++;
        continue;
      }
      int word = i;
      while (i < to && !isDelimiter(DateText.at(text, bytes, i))) {
        i++;
      }
      int value;
      if (time < 0 && (value = time(text, bytes, word, i)) >= 0) {
        time = value;
      } else if (day < 0 && (value = number(text, bytes, word, i, 1, 2)) >= 0) {
        day = value;
      } else if (month < 0 && (value = month(text, bytes, word, i)) >= 0) {
        month = value;
      } else if (year < 0 && (value = number(text, bytes, word, i, 2, 4)) >= 0) {
        year = value;
      }
    }
    return (time | day | month | year) < 0 ? INVALID : seconds(time, day, month, century(year));
  }

  private static boolean isDelimiter(int c) {
    return c == 0x09
        || c >= 0x20 && c <= 0x2f
        || c >= 0x3b && c <= 0x40
        || c >= 0x5b && c <= 0x60
        || c >= 0x7b && c <= 0x7e;
  }

  /// Steps 3 and 4.
  private static int century(int year) {
    if (year < 70) {
      return year + 2000;
    }
    return year < 100 ? year + 1900 : year;
  }

  /// Steps 5 to 7.
  private static long seconds(int time, int day, int month, int year) {
    int hour = time >> 16;
    int minute = time >> 8 & 0xff;
    int second = time & 0xff;
    boolean isTime = hour <= 23 && minute <= 59 && second <= 59;
    if (!isTime || year < 1601 || day < 1 || day > Civil.lengthOfMonth(year, month)) {
      return INVALID;
    }
    return (long) Civil.days(year, month, day) * Civil.SECONDS_A_DAY
        + Civil.seconds(hour, minute, second);
  }

  private static int month(@Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    return to - from < 3 ? -1 : DateText.monthIgnoreCase(text, bytes, from);
  }

  /// The time `hour << 16 | minute << 8 | second` of three numbers of one or two digits, separated
  /// by colons; negative if the text has another form. Any character except a digit may follow the
  /// last number.
  private static int time(@Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    int at = from;
    int time = 0;
    for (int field = 0; field < 3; field++) {
      int digits = digits(text, bytes, at, Math.min(to, at + 3));
      int end = at + digits;
      if (digits < 1 || digits > 2) {
        return -1;
      }
      if (field < 2 && (end == to || DateText.at(text, bytes, end) != ':')) {
        return -1;
      }
      time = time << 8 | value(text, bytes, at, end);
      at = end + 1;
    }
    return time;
  }

  /// A number of `min` to `max` digits, or -1. Any character except a digit may follow.
  private static int number(
      @Nullable CharSequence text, byte @Nullable [] bytes, int from, int to, int min, int max) {
    int digits = digits(text, bytes, from, Math.min(to, from + max + 1));
    return digits < min || digits > max ? -1 : value(text, bytes, from, from + digits);
  }

  private static int digits(
      @Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    int at = from;
    while (at < to && isDigit(DateText.at(text, bytes, at))) {
      at++;
    }
    return at - from;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static int value(@Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + DateText.at(text, bytes, i) - '0';
    }
    return value;
  }
}
