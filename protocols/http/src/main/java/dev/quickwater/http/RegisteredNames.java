package dev.quickwater.http;

import dev.quickwater.util.text.AsciiString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The table of registered header names. A lookup accepts bytes or text in any case and allocates
/// nothing. The table is filled while [HeaderName] is initialised and only read afterwards.
final class RegisteredNames {

  /// Four times the number of names, which keeps probes short.
  private static final int SLOTS = 512;

  private final @Nullable HeaderName[] table = new @Nullable HeaderName[SLOTS];
  private int size;

  HeaderName add(String text, HeaderName.Kind kind) {
    HeaderName name = new HeaderName(text, size++, kind);
    byte[] bytes = name.bytes();
    int slot = slot(bytes.length, bytes[0], bytes[bytes.length / 2], bytes[bytes.length - 1]);
    while (table[slot] != null) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    table[slot] = name;
    return name;
  }

  int size() {
    return size;
  }

  @Nullable HeaderName find(byte[] block, int offset, int length) {
    if (length == 0) {
      return null;
    }
    int slot = slot(length, block[offset], block[offset + length / 2], block[offset + length - 1]);
    while (true) {
      @Nullable HeaderName name = table[slot];
      if (name == null || name.matches(block, offset, length)) {
        return name;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  @Nullable HeaderName find(String text) {
    int length = text.length();
    if (length == 0) {
      return null;
    }
    int slot = slot(length, text.charAt(0), text.charAt(length / 2), text.charAt(length - 1));
    while (true) {
      @Nullable HeaderName name = table[slot];
      if (name == null || AsciiString.equalsIgnoreCase(text, name.toString())) {
        return name;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  private static int slot(int length, int first, int middle, int last) {
    int mixed = (first | 0x20) * 31 + (middle | 0x20) * 961 + (last | 0x20) * 7 + length * 17;
    return (mixed ^ mixed >>> 9) & (SLOTS - 1);
  }

  /// A plain loop: comparing by words made parsing the heads of a browser a third slower.
  static boolean equalsLower(byte[] block, int offset, byte[] lower) {
    if (Arrays.equals(block, offset, offset + lower.length, lower, 0, lower.length)) {
      return true;
    }
    for (int i = 0; i < lower.length; i++) {
      byte b = block[offset + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower[i]) {
        return false;
      }
    }
    return true;
  }
}
