package dev.quickwater.util.text;

/// Tests and comparisons of ASCII in byte arrays, for parsers that make no text.
public final class Ascii {

  /// The largest number of digits that [#parseDigits] reads.
  public static final int MAX_DIGITS = 18;

  private Ascii() {}

  /// The lower-case letter for `A` to `Z`, otherwise `c`.
  public static int toLowerCase(int c) {
    return AsciiCase.toLowerCase(c);
  }

  /// Whether `length` bytes of two arrays are equal without regard to the case of `A` to `Z`. **The
  /// bytes of `b` are ASCII.** Those of `a` may be any bytes. Nothing outside of the ranges is
  /// read; a range that is not within its array may be noticed only if the bytes before its end are
  /// equal.
  public static boolean equalsIgnoreCase(byte[] a, int aOffset, byte[] b, int bOffset, int length) {
    return AsciiCase.equalBytes(a, aOffset, b, bOffset, length);
  }

  /// The value of the decimal digits in `[from, to)`; -1 unless there are 1 to [#MAX_DIGITS] bytes,
  /// all of them digits. Leading zeros are allowed.
  ///
  /// @throws IndexOutOfBoundsException if the range is not within the array
  public static long parseDigits(byte[] text, int from, int to) {
    if (from >= to || to - from > MAX_DIGITS) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /// Like [#parseDigits(byte[], int, int)], for characters.
  ///
  /// @throws IndexOutOfBoundsException if the range is not within the text
  public static long parseDigits(CharSequence text, int from, int to) {
    if (from >= to || to - from > MAX_DIGITS) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /// The value of a hexadecimal digit in any case, or -1.
  public static int hexDigit(int c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }
}
