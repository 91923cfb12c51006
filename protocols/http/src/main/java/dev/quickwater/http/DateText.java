package dev.quickwater.http;

import org.jspecify.annotations.Nullable;

/// Reads the pieces of dates. The input is a text or bytes; the other argument is null. Nothing is
/// allocated.
///
/// A malformed piece is negative. Callers combine pieces with `|` and check the sign once.
final class DateText {

  /// Found by trial: with this factor the highest five bits of the product differ for all months
  /// and all days.
  private static final int SLOT_FACTOR = 761_151;

  private static final int SLOT_BITS = 5;

  private static final int[] MONTHS = keys("JanFebMarAprMayJunJulAugSepOctNovDec");
  private static final int[] DAYS = keys("MonTueWedThuFriSatSun");
  private static final byte[] MONTH_SLOTS = slots(MONTHS);
  private static final byte[] DAY_SLOTS = slots(DAYS);

  private DateText() {}

  private static int[] keys(String names) {
    int[] keys = new int[names.length() / 3];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(names.charAt(3 * i), names.charAt(3 * i + 1), names.charAt(3 * i + 2));
    }
    return keys;
  }

  private static byte[] slots(int[] keys) {
    byte[] slots = new byte[1 << SLOT_BITS];
    for (int i = 0; i < keys.length; i++) {
      slots[slot(keys[i])] = (byte) i;
    }
    return slots;
  }

  private static int slot(int key) {
    return key * SLOT_FACTOR >>> Integer.SIZE - SLOT_BITS;
  }

  private static int key(int a, int b, int c) {
    return (a | b | c) > 0xff ? 0 : a << 16 | b << 8 | c;
  }

  static int at(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    if (bytes != null) {
      return bytes[at] & 0xff;
    }
    return text != null ? text.charAt(at) : -1;
  }

  /// The month, 1 to 12, of three characters that are its short name; otherwise negative.
  static int month(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    return month(key(at(text, bytes, at), at(text, bytes, at + 1), at(text, bytes, at + 2)));
  }

  /// [#month] in any case.
  static int monthIgnoreCase(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    // Clearing the bit maps no other character to these letters.
    return month(
        key(
            at(text, bytes, at) & ~0x20,
            at(text, bytes, at + 1) | 0x20,
            at(text, bytes, at + 2) | 0x20));
  }

  private static int month(int key) {
    int index = MONTH_SLOTS[slot(key)];
    return MONTHS[index] == key ? index + 1 : -1;
  }

  /// The day, 0 for Monday to 6, of three characters that are its short name; otherwise negative.
  static int dayOfWeek(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    int key = key(at(text, bytes, at), at(text, bytes, at + 1), at(text, bytes, at + 2));
    int index = DAY_SLOTS[slot(key)];
    return DAYS[index] == key ? index : -1;
  }

  /// Two digits.
  static int pair(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    int tens = at(text, bytes, at) - '0';
    int ones = at(text, bytes, at + 1) - '0';
    return tens * 10 + ones | (tens | ones | 9 - tens | 9 - ones) >> 31;
  }

  /// 0 if the character is `expected`, else negative.
  static int only(@Nullable CharSequence text, byte @Nullable [] bytes, int at, char expected) {
    return -(at(text, bytes, at) ^ expected);
  }

  /// Hour, minute and second of `08:49:37` as `hour << 16 | minute << 8 | second`, not checked for
  /// range, or negative.
  static int time(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    return pair(text, bytes, at) << 16
        | pair(text, bytes, at + 3) << 8
        | pair(text, bytes, at + 6)
        | only(text, bytes, at + 2, ':')
        | only(text, bytes, at + 5, ':');
  }

  /// 0 if the characters are ` GMT`, else negative.
  static int gmt(@Nullable CharSequence text, byte @Nullable [] bytes, int at) {
    return only(text, bytes, at, ' ')
        | only(text, bytes, at + 1, 'G')
        | only(text, bytes, at + 2, 'M')
        | only(text, bytes, at + 3, 'T');
  }

  /// The short name of a month, 1 to 12, as three bytes of a number.
  static int monthName(int month) {
    return MONTHS[month - 1];
  }

  /// The short name of a day, 0 to 6, as three bytes of a number.
  static int dayName(int dayOfWeek) {
    return DAYS[dayOfWeek];
  }
}
