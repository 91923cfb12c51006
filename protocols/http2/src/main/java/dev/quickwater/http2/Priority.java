package dev.quickwater.http2;

/// Reads priorities (RFC 9218 section 4): the dictionary of a Priority field or a PRIORITY_UPDATE
/// frame.
///
/// Members that are unknown, out of range, of another type or malformed are ignored (section 4). A
/// priority is one `int`, because it is read for each request.
final class Priority {

  private static final int INCREMENTAL = 8;
  private static final int URGENCY = 7;

  /// The priority without any member.
  static final int DEFAULT = StreamFlow.DEFAULT_URGENCY;

  private Priority() {}

  /// The urgency of a priority, 0 to 7.
  static int urgency(int priority) {
    return priority & URGENCY;
  }

  static boolean isIncremental(int priority) {
    return (priority & INCREMENTAL) != 0;
  }

  /// Reads a priority. If a name occurs several times, the last member counts (RFC 9651 section
  /// 3.2).
  static int parse(String text) {
    int priority = DEFAULT;
    int length = text.length();
    for (int at = 0; at < length; ) {
      int end = memberEnd(text, at);
      int from = skipSpace(text, at, end);
      int to = valueEnd(text, from, end);
      priority = apply(priority, text, from, to);
      at = end + 1;
    }
    return priority;
  }

  private static int apply(int priority, String text, int from, int to) {
    switch (to - from) {
      case 1 -> {
        if (text.charAt(from) == 'i') {
          return priority | INCREMENTAL;
        }
      }
      case 3 -> {
        int digit = text.charAt(to - 1) - '0';
        if (text.startsWith("u=", from) && digit >= 0 && digit <= URGENCY) {
          return priority & ~URGENCY | digit;
        }
      }
      case 4 -> {
        if (text.startsWith("i=?1", from)) {
          return priority | INCREMENTAL;
        }
        if (text.startsWith("i=?0", from)) {
          return priority & ~INCREMENTAL;
        }
      }
      default -> {}
    }
    return priority;
  }

  /// The index of the comma that ends the member at `at`, or the length of the text. Commas in
  /// strings and inner lists do not count.
  private static int memberEnd(String text, int at) {
    boolean quoted = false;
    int depth = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == ',' && depth <= 0) {
        return i;
      }
    }
    return text.length();
  }

  private static int skipSpace(String text, int from, int end) {
    int at = from;
    while (at < end && isSpace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /// The end of a member without its parameters and trailing space.
  private static int valueEnd(String text, int from, int end) {
    int at = from;
    while (at < end && text.charAt(at) != ';') {
      at++;
    }
    while (at > from && isSpace(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
