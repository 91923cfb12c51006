package dev.quickwater.util.text;

/// Decimal numbers: an optional minus sign and at least one digit, nothing else.
final class AsciiNumber {

  private static final int MAX_SHOWN = 40;

  private AsciiNumber() {}

  static long parse(AsciiString text, long min, long max) {
    int length = text.length();
    int i = length > 0 && text.byteAt(0) == '-' ? 1 : 0;
    boolean negative = i == 1;
    if (i == length) {
      throw failure(text, "no digit at index " + i);
    }
    // The sum is negative, because negative numbers reach one further than positive ones.
    long value = 0;
    for (; i < length; i++) {
      int digit = text.byteAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw failure(text, "a digit was expected at index " + i);
      }
      if (value < (Long.MIN_VALUE + digit) / 10) {
        throw outOfRange(text, min, max);
      }
      value = value * 10 - digit;
    }
    if (negative ? value < min : value < -max) {
      throw outOfRange(text, min, max);
    }
    return negative ? value : -value;
  }

  private static NumberFormatException outOfRange(AsciiString text, long min, long max) {
    return failure(text, "it is not between " + min + " and " + max);
  }

  private static NumberFormatException failure(AsciiString text, String why) {
    StringBuilder message = new StringBuilder("\"");
    for (int i = 0; i < Math.min(text.length(), MAX_SHOWN); i++) {
      int c = text.byteAt(i);
      message.append(c < ' ' || c == 0x7f ? '?' : (char) c); // not another line of a log
    }
    if (text.length() > MAX_SHOWN) {
      message.append("... (").append(text.length()).append(" characters)");
    }
    return new NumberFormatException(message.append("\" is no number: ").append(why).toString());
  }
}
