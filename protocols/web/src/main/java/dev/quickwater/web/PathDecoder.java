package dev.quickwater.web;

import dev.quickwater.http.engine.PathText;
import org.jspecify.annotations.Nullable;

/// Decodes the path of a request to a relative file path, or refuses it.
///
/// It refuses an encoded slash, a backslash in any form, control characters, malformed
/// percent-encoding or UTF-8, an empty or absolute path, and the elements `.`, `..` and the empty
/// element.
final class PathDecoder {

  private PathDecoder() {}

  static @Nullable String decode(String path) {
    @Nullable String decoded = PathText.decoded(path);
    return decoded != null && isPlain(decoded) ? decoded : null;
  }

  private static boolean isPlain(String path) {
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c < 0x20 || c == 0x7f || c == '\\') {
        return false;
      }
    }
    for (String element : path.split("/", -1)) {
      if (element.isEmpty() || element.equals(".") || element.equals("..")) {
        return false;
      }
    }
    return true;
  }
}
