package dev.quickwater.common.net;

import org.jspecify.annotations.Nullable;

/// What parsers read from: a text or bytes, of which the other one is null. One grammar serves both
/// without an object in between.
final class Input {

  private Input() {}

  /// The character, or the byte as a number from 0 to 255.
  static int at(@Nullable CharSequence text, byte @Nullable [] bytes, int index) {
    if (bytes != null) {
      return bytes[index] & 0xff;
    }
    return text != null ? text.charAt(index) : -1;
  }

  /// Says where and why a text is not what it should be, without repeating more of it than a
  /// character: it may be long, and is a peer's.
  static IllegalArgumentException failure(CharSequence text, int index, String expected) {
    String found =
        index < text.length()
            ? "character 0x%x at index %d of %d"
                .formatted((int) text.charAt(index), index, text.length())
            : "the end at index " + text.length();
    return new IllegalArgumentException(found + " is unexpected in " + expected);
  }
}
