package dev.quickwater.util.net;

import org.jspecify.annotations.Nullable;

/// Zones of scoped addresses, RFC 4007 section 11: `fe80::1%eth0`.
///
/// A zone is 1 to [#MAX_LENGTH] unreserved characters of RFC 3986, which RFC 6874 allows unencoded.
/// All numbers match, and the interface names of Linux, the BSDs, macOS and the JDK on Windows. A
/// zone has a meaning only where the same address can be on several links.
final class Zone {

  static final int MAX_LENGTH = 32;

  private static final int MAX_DIGITS = 10;

  static final String FORM =
      "a zone: 1 to " + MAX_LENGTH + " letters, digits, '-', '.', '_' or '~'";

  private Zone() {}

  /// The zone of an interface: its name. Its number if the name is unknown, is not a valid zone or
  /// looks like the number of another interface (on Linux a name may have any character except `/`,
  /// `:` and white space). Null if it has neither.
  ///
  /// @param number 0 when there is none
  static @Nullable String of(@Nullable String name, int number) {
    if (name != null && fault(name, 0, name.length()) < 0 && !isNumber(name)) {
      return name;
    }
    return number == 0 ? null : Integer.toUnsignedString(number);
  }

  /// The index of what is wrong with the zone in `[from, to)`, or -1.
  static int fault(CharSequence text, int from, int to) {
    if (from == to) {
      return to;
    }
    int end = Math.min(to, from + MAX_LENGTH);
    for (int i = from; i < end; i++) {
      if (!isUnreserved(text.charAt(i))) {
        return i;
      }
    }
    return end < to ? end : -1;
  }

  /// Whether a zone is the number of an interface (an `int` of the JDK) and not a name.
  static boolean isNumber(String zone) {
    return zone.length() <= MAX_DIGITS
        && zone.chars().allMatch(c -> c >= '0' && c <= '9')
        && Long.parseLong(zone) <= Integer.MAX_VALUE;
  }

  private static boolean isUnreserved(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }

  /// Whether an address may have a zone: link-local and site-local unicast, and multicast of a
  /// scope below global (RFC 4291 sections 2.5.6, 2.5.7 and 2.7).
  static boolean isAllowed(long high) {
    int start = (int) (high >>> 48);
    int unicast = start & 0xffc0;
    return unicast == 0xfe80
        || unicast == 0xfec0
        || (start & 0xff00) == 0xff00 && (start & 0xf) < 0xe;
  }
}
