package dev.quickwater.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A request target (RFC 9112 section 3.2): immutable, visible ASCII without a fragment.
///
/// Origin form (`/path?query`), absolute form (`http://host/path`), or `*`. The path is given as it
/// was received: percent-encoded, dots and all.
public final class HttpTarget {

  private final byte[] bytes;
  private final int offset;
  private final int length;
  private @Nullable String text;

  private HttpTarget(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  /// A target from text.
  ///
  /// @throws IllegalArgumentException if it is empty, has a character that is not visible ASCII or
  ///   is `#`, or has none of the forms
  public static HttpTarget of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff || !isTargetByte(bytes[i])) {
        throw new IllegalArgumentException(
            "a target has the character " + Grammar.describe(text.charAt(i)) + " at " + i);
      }
    }
    @Nullable HttpTarget target = parsed(bytes, 0, bytes.length);
    if (target == null) {
      throw new IllegalArgumentException(
          "a target begins with / or is an absolute http or https URI or *");
    }
    return target;
  }

  /// For the parsers: a target of bytes that were checked with [#isTargetByte], which are taken
  /// over. Null when it has none of the forms.
  public static @Nullable HttpTarget parsed(byte[] bytes, int offset, int length) {
    HttpTarget target = new HttpTarget(bytes, offset, length);
    if (length > 0 && bytes[offset] == '/') {
      return target;
    }
    if (length == 1 && bytes[offset] == '*') {
      return target;
    }
    return target.authorityStart() > 0 && target.authorityEnd() > target.authorityStart()
        ? target
        : null;
  }

  /// True for a byte that may be in a target: visible ASCII but `#`, for a fragment is never sent.
  public static boolean isTargetByte(byte b) {
    return b > 0x20 && b < 0x7f && b != '#';
  }

  /// True for `*`, which asks of the server as a whole.
  public boolean isAsterisk() {
    return length == 1 && bytes[offset] == '*';
  }

  /// True for an absolute URI, whose authority wins over a Host field.
  public boolean isAbsolute() {
    return bytes[offset] != '/' && !isAsterisk();
  }

  /// The path, `/` at least; `*` for the asterisk form.
  public String path() {
    int from = pathStart();
    int to = pathEnd(from);
    return from == to ? "/" : string(from, to);
  }

  /// True when [#path] equals `path`, without making text.
  public boolean hasPath(String path) {
    int from = pathStart();
    int to = pathEnd(from);
    if (to - from != path.length()) {
      return to == from && path.equals("/");
    }
    for (int i = 0; i < path.length(); i++) {
      if (bytes[from + i] != path.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// What follows the first `?`, or null when there is none.
  public @Nullable String query() {
    int end = pathEnd(pathStart());
    return end < offset + length ? string(end + 1, offset + length) : null;
  }

  /// The authority of the absolute form, or null.
  public @Nullable String authority() {
    int start = isAbsolute() ? authorityStart() : 0;
    return start > 0 ? string(start, authorityEnd()) : null;
  }

  private int pathStart() {
    return isAbsolute() ? authorityEnd() : offset;
  }

  private int pathEnd(int from) {
    int i = from;
    int end = offset + length;
    while (i < end && bytes[i] != '?') {
      i++;
    }
    return i;
  }

  /// Where the authority begins, or -1 when this is no http or https URI.
  private int authorityStart() {
    int after = schemeEnd("http://");
    return after > 0 ? after : schemeEnd("https://");
  }

  private int schemeEnd(String scheme) {
    if (length <= scheme.length()) {
      return -1;
    }
    for (int i = 0; i < scheme.length(); i++) {
      if ((bytes[offset + i] | 0x20) != (scheme.charAt(i) | 0x20)) {
        return -1;
      }
    }
    return offset + scheme.length();
  }

  private int authorityEnd() {
    int i = authorityStart();
    int end = offset + length;
    while (i < end && bytes[i] != '/' && bytes[i] != '?') {
      i++;
    }
    return i;
  }

  private String string(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HttpTarget that && that.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /// The target as it was received.
  @Override
  public String toString() {
    @Nullable String known = text;
    if (known == null) {
      known = string(offset, offset + length);
      text = known;
    }
    return known;
  }
}
