package dev.quickwater.web;

import dev.quickwater.util.text.Ascii;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Decodes the path of a request to a relative file path, or refuses it.
///
/// It refuses an encoded slash, a backslash in any form, control characters, malformed
/// percent-encoding or UTF-8, an empty or absolute path, and the elements `.`, `..` and the empty
/// element.
final class PathDecoder {

  private PathDecoder() {}

  static @Nullable String decode(String path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
    for (int i = 0; i < path.length(); i++) {
      int c = path.charAt(i);
      if (c == '%') {
        if (i + 2 >= path.length()) {
          return null;
        }
        int high = Ascii.hexDigit(path.charAt(i + 1));
        int low = Ascii.hexDigit(path.charAt(i + 2));
        c = high << 4 | low;
        i += 2;
        if (high < 0 || low < 0 || c == '/') {
          return null;
        }
      }
      if (c < 0x20 || c == 0x7f || c == '\\') {
        return null;
      }
      bytes.write(c);
    }
    @Nullable String decoded = utf8(bytes.toByteArray());
    return decoded != null && isPlain(decoded) ? decoded : null;
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      return null;
    }
  }

  private static boolean isPlain(String path) {
    for (String element : path.split("/", -1)) {
      if (element.isEmpty() || element.equals(".") || element.equals("..")) {
        return false;
      }
    }
    return true;
  }
}
