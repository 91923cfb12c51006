package dev.quickwater.http.engine;

import dev.quickwater.util.text.Ascii;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Percent-decoding (RFC 3986 section 2.1) and dot segments (section 5.2.4).
public final class PathText {

  private PathText() {}

  /// The decoded path without dot segments. Null if decoding would change its meaning: a bad
  /// escape, an encoded slash, a control character, bytes that are not UTF-8, or a path that leaves
  /// the root.
  public static @Nullable String canonical(String raw) {
    @Nullable String decoded = raw.indexOf('%') < 0 ? raw : decoded(raw);
    return decoded == null || !decoded.contains("/.") ? decoded : withoutDots(decoded);
  }

  /// The decoded path with its dot segments. Null for a bad escape, an encoded slash or control
  /// character, or bytes that are not UTF-8.
  public static @Nullable String decoded(String raw) {
    return decode(raw, true);
  }

  /// A decoded name or value of a query (`application/x-www-form-urlencoded`), or null if it cannot
  /// be decoded.
  public static @Nullable String formDecoded(String raw) {
    String spaced = raw.replace('+', ' ');
    return spaced.indexOf('%') < 0 ? spaced : decode(spaced, false);
  }

  private static @Nullable String decode(String raw, boolean ofPath) {
    byte[] bytes = new byte[raw.length()];
    int length = 0;
    for (int i = 0; i < raw.length(); i++) {
      int c = raw.charAt(i);
      if (c == '%') {
        if (i + 2 >= raw.length()) {
          return null;
        }
        int high = Ascii.hexDigit(raw.charAt(i + 1));
        int low = Ascii.hexDigit(raw.charAt(i + 2));
        if (high < 0 || low < 0) {
          return null;
        }
        c = high << 4 | low;
        i += 2;
        if (ofPath && (c == '/' || c < 0x20 || c == 0x7f)) {
          return null;
        }
      }
      bytes[length++] = (byte) c;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException _) {
      return null;
    }
  }

  private static @Nullable String withoutDots(String path) {
    StringBuilder out = new StringBuilder(path.length());
    int at = 0;
    while (at < path.length()) {
      int end = path.indexOf('/', at + 1);
      if (end < 0) {
        end = path.length();
      }
      boolean last = end == path.length();
      int length = end - at - 1;
      if (length == 1 && path.charAt(at + 1) == '.') {
        if (last) {
          out.append('/');
        }
      } else if (length == 2 && path.startsWith("..", at + 1)) {
        if (out.isEmpty()) {
          return null;
        }
        out.setLength(out.lastIndexOf("/"));
        if (last) {
          out.append('/');
        }
      } else {
        out.append(path, at, end);
      }
      at = end;
    }
    return out.toString();
  }
}
