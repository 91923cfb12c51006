package dev.quickwater.util.net;

import org.jspecify.annotations.Nullable;

/// The input of parsers: a text or bytes; the other one is null. One grammar serves both without an
/// adapter object.
final class Input {

  private Input() {}

  /// The character, or the byte as a number from 0 to 255.
  static int at(@Nullable CharSequence text, byte @Nullable [] bytes, int index) {
    if (bytes != null) {
      return bytes[index] & 0xff;
    }
    return text != null ? text.charAt(index) : -1;
  }

  /// An error message with place and reason. It repeats at most one character of the text, because
  /// the text may be long and may come from a peer.
  static IllegalArgumentException failure(CharSequence text, int index, String expected) {
    String found =
        index < text.length()
            ? "character 0x%x at index %d of %d"
                .formatted((int) text.charAt(index), index, text.length())
            : "the end at index " + text.length();
    return new IllegalArgumentException(found + " is unexpected in " + expected);
  }
}
