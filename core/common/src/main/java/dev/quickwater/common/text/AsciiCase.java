package dev.quickwater.common.text;

import org.jspecify.annotations.Nullable;

/// Changes letters, and compares without regard to their case. Only `A` to `Z` are letters.
final class AsciiCase {

  private AsciiCase() {}

  /// The text in the case wanted, or null when it is already.
  static byte @Nullable [] change(byte[] array, int offset, int length, boolean toLower) {
    if (length < Words.SIZE) {
      long word = Words.getPart(array, offset, length);
      long others = marks(word, toLower);
      if (others == 0) {
        return null;
      }
      byte[] changed = new byte[length];
      Words.putPart(changed, 0, length, word ^ others >>> 2);
      return changed;
    }
    return isChanged(array, offset, length, toLower)
        ? changed(array, offset, length, toLower)
        : null;
  }

  private static boolean isChanged(byte[] array, int offset, int length, boolean toLower) {
    int last = offset + length - Words.SIZE;
    long others = marks(Words.get(array, last), toLower);
    for (int index = offset; index < last; index += Words.SIZE) {
      others |= marks(Words.get(array, index), toLower);
    }
    return others != 0;
  }

  private static byte[] changed(byte[] array, int offset, int length, boolean toLower) {
    byte[] changed = new byte[length];
    int last = length - Words.SIZE;
    for (int i = 0; i < last; i += Words.SIZE) {
      Words.put(changed, i, changed(Words.get(array, offset + i), toLower));
    }
    Words.put(changed, last, changed(Words.get(array, offset + last), toLower));
    return changed;
  }

  private static long changed(long word, boolean toLower) {
    return word ^ marks(word, toLower) >>> 2;
  }

  private static long marks(long word, boolean toLower) {
    return toLower ? Words.uppers(word) : Words.lowers(word);
  }

  static boolean equalBytes(byte[] a, int aOffset, byte[] b, int bOffset, int length) {
    if (length < Words.SIZE) {
      return Words.toLowerCase(Words.getPart(a, aOffset, length))
          == Words.toLowerCase(Words.getPart(b, bOffset, length));
    }
    int last = length - Words.SIZE;
    for (int i = 0; i < last; i += Words.SIZE) {
      if (differ(Words.get(a, aOffset + i), Words.get(b, bOffset + i))) {
        return false;
      }
    }
    return !differ(Words.get(a, aOffset + last), Words.get(b, bOffset + last));
  }

  private static boolean differ(long a, long b) {
    return Words.toLowerCase(a) != Words.toLowerCase(b);
  }

  static boolean equalChars(CharSequence a, int aIndex, CharSequence b, int bIndex, int length) {
    for (int i = 0; i < length; i++) {
      char x = a.charAt(aIndex + i);
      char y = b.charAt(bIndex + i);
      if (x != y && toLowerCase(x) != toLowerCase(y)) {
        return false;
      }
    }
    return true;
  }

  static int toLowerCase(int c) {
    return c - 'A' >>> 1 < 13 ? c | 0x20 : c;
  }
}
