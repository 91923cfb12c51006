package dev.quickwater.common.text;

/// Decimal numbers: an optional minus sign and at least one digit, nothing else.
final class AsciiNumber {

  private static final int MOST_SHOWN = 40;

  private AsciiNumber() {}

  static long parse(AsciiString text, long least, long most) {
    int length = text.length();
    int i = length > 0 && text.byteAt(0) == '-' ? 1 : 0;
    boolean negative = i == 1;
    if (i == length) {
      throw failure(text, "no digit at index " + i);
    }
    // Negative numbers reach one further than positive ones, so that they are what is summed up.
    long value = 0;
    for (; i < length; i++) {
      int digit = text.byteAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw failure(text, "a digit was expected at index " + i);
      }
      if (value < (Long.MIN_VALUE + digit) / 10) {
        throw outOfRange(text, least, most);
      }
      value = value * 10 - digit;
    }
    if (negative ? value < least : value < -most) {
      throw outOfRange(text, least, most);
    }
    return negative ? value : -value;
  }

  private static NumberFormatException outOfRange(AsciiString text, long least, long most) {
    return failure(text, "it is not between " + least + " and " + most);
  }

  private static NumberFormatException failure(AsciiString text, String why) {
    StringBuilder message = new StringBuilder("\"");
    for (int i = 0; i < Math.min(text.length(), MOST_SHOWN); i++) {
      int c = text.byteAt(i);
      message.append(c < ' ' || c == 0x7f ? '?' : (char) c); // not another line of a log
    }
    if (text.length() > MOST_SHOWN) {
      message.append("... (").append(text.length()).append(" characters)");
    }
    return new NumberFormatException(message.append("\" is no number: ").append(why).toString());
  }
}
