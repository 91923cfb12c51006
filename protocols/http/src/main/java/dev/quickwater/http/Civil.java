package dev.quickwater.http;

/// The Gregorian calendar by arithmetic alone, for the years 0 to 9999.
///
/// A year begins in March here, which makes the leap day its last day. Days are computed from
/// 365.2425 days a year and 153 days in five months (Howard Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms", `days_from_civil`).
final class Civil {

  static final int SECONDS_A_DAY = 86_400;
  private static final int DAYS_OF_400_YEARS = 146_097;

  /// The number of days from the first of March of the year 0 to 1970-01-01.
  private static final int EPOCH = 719_468;

  private Civil() {}

  /// Days since 1970-01-01.
  ///
  /// @param month 1 to 12
  /// @param day 1 to 31; a day beyond the end of the month is a day of the next month
  static int days(int year, int month, int day) {
    // January and February belong to the year before.
    int years = (month > 2 ? year : year - 1) + 400;
    int century = years / 100;
    int month0 = month > 2 ? month - 3 : month + 9;
    int dayOfYear = (153 * month0 + 2) / 5 + day - 1;
    return 365 * years
        + (years >> 2)
        - century
        + (century >> 2)
        + dayOfYear
        - EPOCH
        - DAYS_OF_400_YEARS;
  }

  static int seconds(int hour, int minute, int second) {
    return (hour * 60 + minute) * 60 + second;
  }

  static int lengthOfMonth(int year, int month) {
    if (month == 2) {
      return isLeap(year) ? 29 : 28;
    }
    return 30 + ((month ^ month >> 3) & 1);
  }

  private static boolean isLeap(int year) {
    return (year & 3) == 0 && (year % 25 != 0 || (year & 15) == 0);
  }

  /// 0 for Monday to 6 for Sunday.
  static int dayOfWeek(int days) {
    // 1970-01-01 was a Thursday.
    return Math.floorMod(days + 3, 7);
  }

  /// Year, month and day in one number: `year << 9 | month << 5 | day`.
  ///
  /// @param days since 1970-01-01, within the years 0 to 9999
  static int date(int days) {
    int sinceMarch = days + EPOCH + DAYS_OF_400_YEARS;
    int era = sinceMarch / DAYS_OF_400_YEARS;
    int dayOfEra = sinceMarch - era * DAYS_OF_400_YEARS;
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int month0 = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * month0 + 2) / 5 + 1;
    int month = month0 < 10 ? month0 + 3 : month0 - 9;
    int year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0);
    return year << 9 | month << 5 | day;
  }

  static int year(int date) {
    return date >> 9;
  }

  static int month(int date) {
    return date >> 5 & 0xf;
  }

  static int day(int date) {
    return date & 0x1f;
  }
}
