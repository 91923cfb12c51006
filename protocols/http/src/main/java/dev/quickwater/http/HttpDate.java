package dev.quickwater.http;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.quickwater.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Dates of RFC 9110 section 5.6.7, to the second, from the year 0 to 9999.
///
/// - Dates are written in the fixed form, `Sun, 06 Nov 1994 08:49:37 GMT`.
/// - Three forms are read: the fixed form, the obsolete form of RFC 850, `Sunday, 06-Nov-94
///   08:49:37 GMT`, and the form of `asctime`, `Sun Nov 6 08:49:37 1994`. The text must match the
///   grammar exactly, case included, with nothing before or after it.
/// - A date that does not exist, or whose day of the week is wrong, is invalid: reading it would
///   require a guess.
/// - A year of two digits is the latest year with these digits that is at most 50 years after a
///   reference time.
/// - `23:59:60` is a leap second (RFC 5322 section 3.3, the source of the fixed form). It is read
///   as the following second, as POSIX counts. A second 60 at another time is invalid.
///
/// Times are seconds since 1970-01-01T00:00:00Z. Only methods that return an object allocate.
public final class HttpDate {

  /// The result for a text that is not a date.
  public static final long INVALID = Long.MIN_VALUE;

  /// Characters in the fixed form.
  public static final int LENGTH = 29;

  /// 0000-01-01T00:00:00Z.
  public static final long MIN_SECONDS = -62_167_219_200L;

  /// 9999-12-31T23:59:59Z.
  public static final long MAX_SECONDS = 253_402_300_799L;

  /// The reference time that means the current time.
  private static final long NOW = Long.MIN_VALUE;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);

  private static final int ASCTIME_LENGTH = 24;

  /// Characters of the form of RFC 850 from its comma on.
  private static final int RFC850_TAIL = 24;

  private static final String[] LONG_DAYS = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
  };

  private HttpDate() {}

  /// True if a time is within the years 0 to 9999 and can be written.
  public static boolean isInRange(Instant time) {
    long seconds = time.getEpochSecond();
    return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
  }

  /// The fixed form of a time, without its fraction of a second.
  ///
  /// @throws IllegalArgumentException if the time is not within the years 0 to 9999
  public static String format(Instant time) {
    return format(time.getEpochSecond());
  }

  /// The fixed form.
  ///
  /// @throws IllegalArgumentException if the time is not within the years 0 to 9999
  public static String format(long seconds) {
    byte[] text = new byte[LENGTH];
    format(seconds, text, 0);
    return new String(text, ISO_8859_1);
  }

  /// Writes the [#LENGTH] bytes of the fixed form to `target` from index `at`.
  ///
  /// @return the index after the last byte written
  /// @throws IllegalArgumentException if the time is not within the years 0 to 9999
  /// @throws IndexOutOfBoundsException if there is not enough room
  public static int format(long seconds, byte[] target, int at) {
    Objects.checkFromIndexSize(at, LENGTH, target.length);
    int days = days(seconds);
    int ofDay = (int) (seconds - (long) days * Civil.SECONDS_A_DAY);
    int date = Civil.date(days);
    LONG.set(target, at, dayWord(days, date));
    LONG.set(target, at + 8, yearWord(date));
    LONG.set(target, at + 16, timeWord(ofDay));
    INT.set(target, at + 24, tailWord(ofDay));
    target[at + 28] = 'T';
    return at + LENGTH;
  }

  /// Writes the [#LENGTH] bytes of the fixed form to `target`, which stays the caller's.
  ///
  /// @throws IllegalArgumentException if the time is not within the years 0 to 9999
  /// @throws IndexOutOfBoundsException if there is not enough room
  public static void write(long seconds, ByteBuf target) {
    int days = days(seconds);
    int ofDay = (int) (seconds - (long) days * Civil.SECONDS_A_DAY);
    int date = Civil.date(days);
    target
        .writeLong(dayWord(days, date))
        .writeLong(yearWord(date))
        .writeLong(timeWord(ofDay))
        .writeInt(tailWord(ofDay))
        .writeByte('T');
  }

  private static int days(long seconds) {
    if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "%d seconds since 1970, expected %d to %d, the years 0 to 9999"
              .formatted(seconds, MIN_SECONDS, MAX_SECONDS));
    }
    return (int) Math.floorDiv(seconds, Civil.SECONDS_A_DAY);
  }

  /// `Sun, 06 `.
  private static long dayWord(int days, int date) {
    long name = DateText.dayName(Civil.dayOfWeek(days));
    return name << 40 | (long) ',' << 32 | ' ' << 24 | digits(Civil.day(date)) << 8 | ' ';
  }

  /// `Nov 1994`.
  private static long yearWord(int date) {
    long name = DateText.monthName(Civil.month(date));
    int year = Civil.year(date);
    int century = year * 5243 >>> 19;
    return name << 40 | (long) ' ' << 32 | digits(century) << 16 | digits(year - 100 * century);
  }

  /// ` 08:49:3`.
  private static long timeWord(int ofDay) {
    int minutes = ofDay / 60;
    int hour = minutes / 60;
    return (long) ' ' << 56
        | digits(hour) << 40
        | (long) ':' << 32
        | digits(minutes - 60 * hour) << 16
        | ':' << 8
        | digits(ofDay - 60 * minutes) >>> 8;
  }

  /// `7 GM`.
  private static int tailWord(int ofDay) {
    return (int) digits(ofDay % 60) << 24 | ' ' << 16 | 'G' << 8 | 'M';
  }

  /// A number below 100 as two bytes of text.
  private static long digits(int number) {
    int tens = number * 103 >>> 10;
    return tens << 8 | number - 10 * tens | 0x3030;
  }

  /// The time of a text; null if the text is not a date, which recipients ignore. The reference
  /// time is the current time.
  public static @Nullable Instant parse(CharSequence text) {
    return instant(parseSeconds(text));
  }

  /// Like [#parse(CharSequence)], with a reference time.
  public static @Nullable Instant parse(CharSequence text, Instant reference) {
    return instant(parseSeconds(text, reference.getEpochSecond()));
  }

  private static @Nullable Instant instant(long seconds) {
    return seconds == INVALID ? null : Instant.ofEpochSecond(seconds);
  }

  /// The seconds of a text, or [#INVALID]. The reference time is the current time; the clock is
  /// read only for the form of RFC 850.
  public static long parseSeconds(CharSequence text) {
    return read(text, null, 0, text.length(), NOW);
  }

  /// The seconds of a text, or [#INVALID].
  ///
  /// @param reference seconds since 1970, for years of two digits
  /// @throws IllegalArgumentException if it is needed and not within the years 0 to 9999
  public static long parseSeconds(CharSequence text, long reference) {
    return read(text, null, 0, text.length(), explicit(reference));
  }

  /// The seconds of the text in the bytes `[from, to)`, or [#INVALID].
  ///
  /// @param reference seconds since 1970, for years of two digits
  /// @throws IllegalArgumentException if it is needed and not within the years 0 to 9999
  /// @throws IndexOutOfBoundsException if the bytes are not all within the array
  public static long parseSeconds(byte[] text, int from, int to, long reference) {
    Objects.checkFromToIndex(from, to, text.length);
    return read(null, text, from, to, explicit(reference));
  }

  /// The caller's reference time. Only this class passes [#NOW]: the same value from a caller is
  /// raised by one, which is also out of range.
  private static long explicit(long reference) {
    return Math.max(reference, NOW + 1);
  }

  private static long read(
      @Nullable CharSequence text, byte @Nullable [] bytes, int from, int to, long reference) {
    int length = to - from;
    if (length == LENGTH) {
      return readFixed(text, bytes, from);
    }
    if (length == ASCTIME_LENGTH) {
      return readAsctime(text, bytes, from);
    }
    for (int i = 0; i < LONG_DAYS.length; i++) {
      String day = LONG_DAYS[i];
      if (length == day.length() + RFC850_TAIL && startsWith(text, bytes, from, day)) {
        return readRfc850(text, bytes, from + day.length(), i, reference);
      }
    }
    return INVALID;
  }

  private static boolean startsWith(
      @Nullable CharSequence text, byte @Nullable [] bytes, int from, String start) {
    for (int i = 0; i < start.length(); i++) {
      if (DateText.at(text, bytes, from + i) != start.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static long readFixed(@Nullable CharSequence text, byte @Nullable [] bytes, int from) {
    int wrong =
        DateText.only(text, bytes, from + 3, ',')
            | DateText.only(text, bytes, from + 4, ' ')
            | DateText.only(text, bytes, from + 7, ' ')
            | DateText.only(text, bytes, from + 11, ' ')
            | DateText.only(text, bytes, from + 16, ' ')
            | DateText.gmt(text, bytes, from + 25);
    int day = DateText.pair(text, bytes, from + 5);
    int month = DateText.month(text, bytes, from + 8);
    int century = DateText.pair(text, bytes, from + 12);
    int ofCentury = DateText.pair(text, bytes, from + 14);
    int time = DateText.time(text, bytes, from + 17);
    return (wrong | century | ofCentury) < 0
        ? INVALID
        : seconds(
            DateText.dayOfWeek(text, bytes, from), 100 * century + ofCentury, month, day, time);
  }

  private static long readAsctime(@Nullable CharSequence text, byte @Nullable [] bytes, int from) {
    int wrong =
        DateText.only(text, bytes, from + 3, ' ')
            | DateText.only(text, bytes, from + 7, ' ')
            | DateText.only(text, bytes, from + 10, ' ')
            | DateText.only(text, bytes, from + 19, ' ');
    int month = DateText.month(text, bytes, from + 4);
    int day =
        DateText.at(text, bytes, from + 8) == ' '
            ? oneDigit(DateText.at(text, bytes, from + 9))
            : DateText.pair(text, bytes, from + 8);
    int time = DateText.time(text, bytes, from + 11);
    int century = DateText.pair(text, bytes, from + 20);
    int ofCentury = DateText.pair(text, bytes, from + 22);
    return (wrong | century | ofCentury) < 0
        ? INVALID
        : seconds(
            DateText.dayOfWeek(text, bytes, from), 100 * century + ofCentury, month, day, time);
  }

  private static int oneDigit(int c) {
    int digit = c - '0';
    return digit > 9 ? -1 : digit;
  }

  /// @param from where the comma is
  private static long readRfc850(
      @Nullable CharSequence text,
      byte @Nullable [] bytes,
      int from,
      int dayOfWeek,
      long reference) {
    int wrong =
        DateText.only(text, bytes, from, ',')
            | DateText.only(text, bytes, from + 1, ' ')
            | DateText.only(text, bytes, from + 4, '-')
            | DateText.only(text, bytes, from + 8, '-')
            | DateText.only(text, bytes, from + 11, ' ')
            | DateText.gmt(text, bytes, from + 20);
    int day = DateText.pair(text, bytes, from + 2);
    int month = DateText.month(text, bytes, from + 5);
    int ofCentury = DateText.pair(text, bytes, from + 9);
    int time = DateText.time(text, bytes, from + 12);
    if ((wrong | day | month | ofCentury | time) < 0) {
      return INVALID;
    }
    long now = reference == NOW ? System.currentTimeMillis() / 1000 : reference;
    return seconds(dayOfWeek, year(ofCentury, month, day, time, now), month, day, time);
  }

  /// The latest year with these two digits that is at most 50 years after `reference`.
  private static int year(int ofCentury, int month, int day, int time, long reference) {
    int days = days(reference);
    int date = Civil.date(days);
    int last = Civil.year(date) + 50;
    int year = last - Math.floorMod(last - ofCentury, 100);
    if (year < last) {
      return year;
    }
    int ofDay = (int) (reference - (long) days * Civil.SECONDS_A_DAY);
    long latest = order(Civil.month(date), Civil.day(date), ofDay);
    return order(month, day, ofDay(time)) > latest ? year - 100 : year;
  }

  /// Orders times of one year.
  private static long order(int month, int day, int ofDay) {
    return (month << 5 | day) * (long) (2 * Civil.SECONDS_A_DAY) + ofDay;
  }

  private static int ofDay(int time) {
    return Civil.seconds(time >> 16, time >> 8 & 0xff, time & 0xff);
  }

  private static long seconds(int dayOfWeek, int year, int month, int day, int time) {
    if ((dayOfWeek | year | month | day | time) < 0) {
      return INVALID;
    }
    int hour = time >> 16;
    int minute = time >> 8 & 0xff;
    int second = time & 0xff;
    boolean isTime = hour < 24 && minute < 60 && (second < 60 || isLeap(hour, minute, second));
    if (!isTime || day == 0 || day > Civil.lengthOfMonth(year, month)) {
      return INVALID;
    }
    int days = Civil.days(year, month, day);
    long seconds = (long) days * Civil.SECONDS_A_DAY + Civil.seconds(hour, minute, second);
    return Civil.dayOfWeek(days) == dayOfWeek && seconds <= MAX_SECONDS ? seconds : INVALID;
  }

  private static boolean isLeap(int hour, int minute, int second) {
    return hour == 23 && minute == 59 && second == 60;
  }
}
