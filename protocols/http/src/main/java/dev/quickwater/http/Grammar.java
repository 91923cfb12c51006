package dev.quickwater.http;

/// The character classes of RFC 9110 as tables, used by every version and in both directions.
public final class Grammar {

  private static final boolean[] TOKEN = new boolean[256];
  private static final boolean[] VALUE = new boolean[256];

  static {
    for (char c = '0'; c <= '9'; c++) {
      TOKEN[c] = true;
    }
    for (char c = 'a'; c <= 'z'; c++) {
      TOKEN[c] = true;
      TOKEN[c - 32] = true;
    }
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
      TOKEN[c] = true;
    }
    for (int c = 0x20; c < 0x100; c++) {
      VALUE[c] = c != 0x7f;
    }
    VALUE['\t'] = true;
  }

  private Grammar() {}

  /// True for a byte of a token: a method or a field name (RFC 9110 section 5.6.2).
  public static boolean isToken(byte b) {
    return TOKEN[b & 0xff];
  }

  /// True for a character of a token.
  public static boolean isToken(char c) {
    return c < 256 && TOKEN[c];
  }

  /// True for a character of a field value: visible, space, tab or obs-text (RFC 9110 section 5.5).
  public static boolean isFieldValue(char c) {
    return c < 256 && VALUE[c];
  }

  /// True when `text` is a token of at least one character.
  public static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isToken(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /// A character in a form that is safe in an error message or a log: control characters and
  /// characters beyond ASCII as a number.
  public static String describe(int c) {
    return c > 0x20 && c < 0x7f ? "'" + (char) c + "'" : "0x" + Integer.toHexString(c);
  }

  /// `value` without spaces and tabs at its ends (OWS of RFC 9110 section 5.6.3).
  static String strip(String value) {
    int from = 0;
    int to = value.length();
    while (from < to && isWhite(value.charAt(from))) {
      from++;
    }
    while (to > from && isWhite(value.charAt(to - 1))) {
      to--;
    }
    return value.substring(from, to);
  }

  private static boolean isWhite(char c) {
    return c == ' ' || c == '\t';
  }

  /// True for the name of a protocol with an optional version (RFC 9110 section 7.8).
  public static boolean isProtocol(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? isToken(text)
        : isToken(text.substring(0, slash)) && isToken(text.substring(slash + 1));
  }
}
