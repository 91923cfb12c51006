package dev.quickwater.util.text;

import org.jspecify.annotations.Nullable;

/// Changes letters, and compares without regard to their case. Only `A` to `Z` are letters.
final class AsciiCase {

  private AsciiCase() {}

  /// The text in the requested case, or null if it has that case already.
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
    if (length <= 2 * Words.SIZE) {
      return changeTwo(array, offset, length, toLower);
    }
    if (length <= 4 * Words.SIZE) {
      return changeFour(array, offset, length, toLower);
    }
    return isChanged(array, offset, length, toLower)
        ? changed(array, offset, length, toLower)
        : null;
  }

  /// Two words, which may overlap.
  private static byte @Nullable [] changeTwo(
      byte[] array, int offset, int length, boolean toLower) {
    int last = length - Words.SIZE;
    long head = Words.get(array, offset);
    long tail = Words.get(array, offset + last);
    long headMarks = marks(head, toLower);
    long tailMarks = marks(tail, toLower);
    if ((headMarks | tailMarks) == 0) {
      return null;
    }
    byte[] changed = new byte[length];
    Words.put(changed, 0, head ^ headMarks >>> 2);
    Words.put(changed, last, tail ^ tailMarks >>> 2);
    return changed;
  }

  /// Four words, which may overlap.
  private static byte @Nullable [] changeFour(
      byte[] array, int offset, int length, boolean toLower) {
    int last = length - Words.SIZE;
    int third = last - Words.SIZE;
    long a = Words.get(array, offset);
    long b = Words.get(array, offset + Words.SIZE);
    long c = Words.get(array, offset + third);
    long d = Words.get(array, offset + last);
    long aMarks = marks(a, toLower);
    long bMarks = marks(b, toLower);
    long cMarks = marks(c, toLower);
    long dMarks = marks(d, toLower);
    if ((aMarks | bMarks | cMarks | dMarks) == 0) {
      return null;
    }
    byte[] changed = new byte[length];
    Words.put(changed, 0, a ^ aMarks >>> 2);
    Words.put(changed, Words.SIZE, b ^ bMarks >>> 2);
    Words.put(changed, third, c ^ cMarks >>> 2);
    Words.put(changed, last, d ^ dMarks >>> 2);
    return changed;
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

  /// The bytes of one array are ASCII. A byte above 0x7F differs from them, because changing the
  /// case leaves its highest bit as it is.
  static boolean equalBytes(byte[] a, int aOffset, byte[] b, int bOffset, int length) {
    if (length < Integer.BYTES) {
      return Words.toLowerCase(Words.few(a, aOffset, length))
          == Words.toLowerCase(Words.few(b, bOffset, length));
    }
    if (length < Words.SIZE) {
      int last = length - Integer.BYTES;
      return !differInts(a, aOffset, b, bOffset)
          && !differInts(a, aOffset + last, b, bOffset + last);
    }
    int last = length - Words.SIZE;
    for (int i = 0; i < last; i += Words.SIZE) {
      if (differ(Words.get(a, aOffset + i), Words.get(b, bOffset + i))) {
        return false;
      }
    }
    return !differ(Words.get(a, aOffset + last), Words.get(b, bOffset + last));
  }

  private static boolean differInts(byte[] a, int aIndex, byte[] b, int bIndex) {
    return Words.toLowerCase(Words.getInt(a, aIndex)) != Words.toLowerCase(Words.getInt(b, bIndex));
  }

  private static boolean differ(long a, long b) {
    return Words.toLowerCase(a) != Words.toLowerCase(b);
  }

  static boolean equalChars(CharSequence a, int aIndex, CharSequence b, int bIndex, int length) {
    for (int i = 0; i < length; i++) {
      if (differ(a.charAt(aIndex + i), b.charAt(bIndex + i))) {
        return false;
      }
    }
    return true;
  }

  /// [#equalChars] for bytes that are ASCII on one side.
  static boolean equalChars(byte[] a, int aOffset, CharSequence b, int bIndex, int length) {
    for (int i = 0; i < length; i++) {
      if (differ(a[aOffset + i], b.charAt(bIndex + i))) {
        return false;
      }
    }
    return true;
  }

  /// Whether two characters are neither equal nor the two cases of one letter.
  private static boolean differ(int a, int b) {
    int difference = a ^ b;
    int lower = a | 0x20;
    return difference != 0 && (difference != 0x20 || lower < 'a' || lower > 'z');
  }

  static int toLowerCase(int c) {
    return c - 'A' >>> 1 < 13 ? c | 0x20 : c;
  }
}
