package dev.quickwater.http1;

import dev.quickwater.http.Grammar;

/// Checks `uri-host [":" port]` (RFC 9110 section 7.2). Empty is valid, and so is an underscore in
/// a name; user information is not.
final class Authorities {

  /// unreserved, percent-encoded or sub-delims of RFC 3986.
  private static final boolean[] NAME = new boolean[256];

  static {
    for (char c = '0'; c <= '9'; c++) {
      NAME[c] = true;
    }
    for (char c = 'a'; c <= 'z'; c++) {
      NAME[c] = true;
      NAME[c - 32] = true;
    }
    for (char c : "-._~%!$&'()*+,;=".toCharArray()) {
      NAME[c] = true;
    }
  }

  private Authorities() {}

  static void check(byte[] text, int start, int end) throws Http1Exception {
    int i = start;
    if (i < end && text[i] == '[') {
      i = literalEnd(text, i + 1, end);
    } else {
      while (i < end && NAME[text[i] & 0xff]) {
        i++;
      }
    }
    if (i < end && text[i] == ':') {
      i++;
      int port = i;
      while (i < end && text[i] >= '0' && text[i] <= '9') {
        i++;
      }
      if (i - port > 5) {
        throw Http1Exception.bad("the port of the host has more than 5 digits");
      }
    }
    if (i < end) {
      throw Http1Exception.bad("the host has the character " + Grammar.describe(text[i] & 0xff));
    }
  }

  private static int literalEnd(byte[] text, int start, int end) throws Http1Exception {
    int i = start;
    while (i < end && (isHex(text[i]) || text[i] == ':' || text[i] == '.')) {
      i++;
    }
    if (i == start || i == end || text[i] != ']') {
      throw Http1Exception.bad("the host is no IPv6 address in brackets");
    }
    return i + 1;
  }

  private static boolean isHex(byte b) {
    return b >= '0' && b <= '9' || (b | 0x20) >= 'a' && (b | 0x20) <= 'f';
  }
}
