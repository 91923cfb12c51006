package dev.quickwater.util.text;

import java.util.ArrayList;
import java.util.List;

/// Fields of comma-separated values, RFC 4180.
///
/// A field that contains a comma, a quote, CR or LF is put in quotes, and its quotes are doubled;
/// other fields are unchanged. White space belongs to its field (section 2, rule 4).
public final class Csv {

  /// How many fields [#split(CharSequence)] allows in a line.
  public static final int MAX_FIELDS = 4096;

  /// From this length on, four vectorised searches of the JDK are faster.
  private static final int LONG = 48;

  private Csv() {}

  /// The field in its written form: `field` itself if it needs no quotes.
  public static CharSequence escape(CharSequence field) {
    return field instanceof String string ? escape(string) : isPlain(field) ? field : quoted(field);
  }

  /// Like [#escape(CharSequence)], for a `String`.
  public static String escape(String field) {
    if (isPlain(field)) {
      return field;
    }
    int quote = field.indexOf('"');
    if (quote < 0) {
      return '"' + field + '"';
    }
    return field.indexOf('"', quote + 1) < 0
        ? '"' + field.substring(0, quote + 1) + field.substring(quote) + '"'
        : '"' + field.replace("\"", "\"\"") + '"';
  }

  private static boolean isPlain(String field) {
    return field.length() < LONG
        ? isPlain((CharSequence) field)
        : field.indexOf(',') < 0
            && field.indexOf('"') < 0
            && field.indexOf('\n') < 0
            && field.indexOf('\r') < 0;
  }

  private static boolean isPlain(CharSequence field) {
    for (int i = 0; i < field.length(); i++) {
      if (isSpecial(field.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSpecial(char c) {
    return c <= ',' && (c == ',' || c == '"' || c == '\n' || c == '\r');
  }

  private static String quoted(CharSequence field) {
    StringBuilder written = new StringBuilder(field.length() + 8).append('"');
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '"') {
        written.append('"');
      }
      written.append(c);
    }
    return written.append('"').toString();
  }

  /// The field of a written form: `written` itself if it has no quotes.
  ///
  /// @throws IllegalArgumentException if it is not one field in the form of [#escape]
  public static CharSequence unescape(CharSequence written) {
    int end = fieldEnd(written, 0);
    if (end < written.length()) {
      throw new IllegalArgumentException(
          "a comma ends the field at index " + end + " of " + written.length());
    }
    return field(written, 0, end);
  }

  /// The fields of one line without its line end; line ends in quotes are part of a field. An empty
  /// line has one empty field.
  ///
  /// @throws IllegalArgumentException if the line violates RFC 4180, or has more than [#MAX_FIELDS]
  ///   fields
  public static List<String> split(CharSequence line) {
    return split(line, MAX_FIELDS);
  }

  /// Like [#split(CharSequence)], with another limit.
  ///
  /// @param maxFields at least 1
  /// @throws IllegalArgumentException if the line violates RFC 4180, or has more fields
  public static List<String> split(CharSequence line, int maxFields) {
    if (maxFields < 1) {
      throw new IllegalArgumentException("at most " + maxFields + " fields, expected 1 or more");
    }
    List<String> fields = new ArrayList<>();
    for (int from = 0; ; ) {
      int end = fieldEnd(line, from);
      if (fields.size() == maxFields) {
        throw new IllegalArgumentException(
            "more than " + maxFields + " fields (maxFields) at index " + from);
      }
      fields.add(field(line, from, end).toString());
      if (end == line.length()) {
        return List.copyOf(fields);
      }
      from = end + 1;
    }
  }

  /// The end of the field that begins at `from`: at a comma or at the end of the line.
  private static int fieldEnd(CharSequence line, int from) {
    if (from < line.length() && line.charAt(from) == '"') {
      return quotedEnd(line, from);
    }
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == ',') {
        return i;
      }
      if (isSpecial(c)) {
        throw unexpected(line, i, "which needs quotes around the field");
      }
    }
    return line.length();
  }

  private static int quotedEnd(CharSequence line, int from) {
    int length = line.length();
    int i = from + 1;
    while (i < length) {
      if (line.charAt(i++) != '"') {
        continue;
      }
      if (i == length || line.charAt(i) == ',') {
        return i;
      }
      if (line.charAt(i++) != '"') {
        throw unexpected(line, i - 1, "expected a comma, a quote or the end behind a quote");
      }
    }
    throw new IllegalArgumentException("the quote at index " + from + " has no counterpart");
  }

  private static IllegalArgumentException unexpected(CharSequence line, int index, String why) {
    return new IllegalArgumentException(
        "character 0x%x at index %d, %s".formatted((int) line.charAt(index), index, why));
  }

  private static CharSequence field(CharSequence line, int from, int end) {
    if (from == end || line.charAt(from) != '"') {
      return from == 0 && end == line.length() ? line : line.subSequence(from, end);
    }
    StringBuilder field = new StringBuilder(end - from - 2);
    int i = from + 1;
    while (i < end - 1) {
      char c = line.charAt(i);
      field.append(c);
      i += c == '"' ? 2 : 1;
    }
    return field.toString();
  }
}
