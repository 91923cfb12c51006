package dev.quickwater.http2;

import java.util.HexFormat;

/// Quotes text for a line of [FrameTrace]. The result is printable ASCII, and the text can end
/// neither its quotes nor its line.
final class TraceText {

  private TraceText() {}

  /// Quotes Latin-1 characters.
  static void quote(StringBuilder to, CharSequence text) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      escape(to, text.charAt(i));
    }
    to.append('"');
  }

  static void escape(StringBuilder to, char c) {
    switch (c) {
      case '"', '\\' -> to.append('\\').append(c);
      case '\n' -> to.append("\\n");
      case '\r' -> to.append("\\r");
      case '\t' -> to.append("\\t");
      default -> {
        if (c >= ' ' && c < 0x7f) {
          to.append(c);
        } else if (c <= 0xff) {
          to.append("\\x");
          HexFormat.of().toHexDigits(to, (byte) c);
        } else {
          to.append('?');
        }
      }
    }
  }
}
