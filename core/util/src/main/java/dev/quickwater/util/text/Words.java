package dev.quickwater.util.text;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Operations on eight bytes of text at a time. The first byte of a word is its lowest.
///
/// Tests set the highest bit of each byte for which they are true ("Bit Twiddling Hacks", and
/// Hacker's Delight section 6-1). No sum carries from one byte into the next.
final class Words {

  static final int SIZE = Long.BYTES;
  static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long LOW_SEVEN = ~HIGH_BITS;

  /// The bits of four characters that only characters beyond ASCII have.
  private static final long BEYOND_ASCII = 0xff80_ff80_ff80_ff80L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);

  private Words() {}

  /// The number of words for `bytes`, including a partial last word.
  static int count(int bytes) {
    return bytes + SIZE - 1 >> 3;
  }

  static long get(byte[] array, int index) {
    return (long) LONG.get(array, index);
  }

  static void put(byte[] array, int index, long word) {
    LONG.set(array, index, word);
  }

  /// A word of `count` bytes, 0 to 7, and zeros. Other bytes of the array are not read.
  static long getPart(byte[] array, int index, int count) {
    if (count >= Integer.BYTES) {
      int rest = count - Integer.BYTES;
      return (int) INT.get(array, index) & 0xffff_ffffL
          | ((int) INT.get(array, index + rest) & 0xffff_ffffL) << (rest << 3);
    }
    if (count == 0) {
      return 0;
    }
    int middle = count >> 1;
    int last = count - 1;
    return array[index] & 0xff
        | (array[index + middle] & 0xff) << (middle << 3)
        | (array[index + last] & 0xff) << (last << 3);
  }

  /// Stores the first `count` bytes of a word, 0 to 7.
  static void putPart(byte[] array, int index, int count, long word) {
    if (count >= Integer.BYTES) {
      int rest = count - Integer.BYTES;
      INT.set(array, index, (int) word);
      INT.set(array, index + rest, (int) (word >>> (rest << 3)));
      return;
    }
    for (int i = 0; i < count; i++) {
      array[index + i] = (byte) (word >>> (i << 3));
    }
  }

  /// Four characters from each of two places as a word of bytes, see [#fourChars]. One test for all
  /// is cheaper than one for each four.
  static long ofChars(CharSequence text, int first, int second, boolean ignoreCase) {
    long even =
        text.charAt(first)
            | text.charAt(first + 2) << 16
            | (long) text.charAt(second) << 32
            | (long) text.charAt(second + 2) << 48;
    long odd =
        text.charAt(first + 1)
            | text.charAt(first + 3) << 16
            | (long) text.charAt(second + 1) << 32
            | (long) text.charAt(second + 3) << 48;
    return ((even | odd) & BEYOND_ASCII) == 0
        ? even | odd << 8
        : Integer.toUnsignedLong(fourChars(text, first, ignoreCase))
            | (long) fourChars(text, second, ignoreCase) << 32;
  }

  /// Four ASCII characters as bytes, or a keyed mixture of four characters of which one is beyond
  /// ASCII.
  static int fourChars(CharSequence text, int index, boolean ignoreCase) {
    int a = text.charAt(index);
    int b = text.charAt(index + 1);
    int c = text.charAt(index + 2);
    int d = text.charAt(index + 3);
    return (a | b | c | d) < 0x80
        ? a | b << 8 | c << 16 | d << 24
        : AsciiHash.ofWide(a, b, c, d, ignoreCase);
  }

  /// Up to three characters, some of them twice, in the same form.
  static int fewChars(CharSequence text, int length, boolean ignoreCase) {
    if (length == 0) {
      return 0;
    }
    int a = text.charAt(0);
    int b = text.charAt(length >> 1);
    int c = text.charAt(length - 1);
    return (a | b | c) < 0x80 ? a | b << 8 | c << 16 : AsciiHash.ofWide(a, b, c, 0, ignoreCase);
  }

  static int getInt(byte[] array, int index) {
    return (int) INT.get(array, index);
  }

  /// Up to three bytes, some of them twice; no offset depends on the length.
  static int few(byte[] array, int index, int length) {
    if (length == 0) {
      return 0;
    }
    return array[index] & 0xff
        | (array[index + (length >> 1)] & 0xff) << 8
        | (array[index + length - 1] & 0xff) << 16;
  }

  /// Whether up to eight bytes are equal.
  static boolean areShortEqual(byte[] a, int aIndex, byte[] b, int bIndex, int length) {
    if (length < Integer.BYTES) {
      return few(a, aIndex, length) == few(b, bIndex, length);
    }
    int last = length - Integer.BYTES;
    return (getInt(a, aIndex) ^ getInt(b, bIndex)
            | getInt(a, aIndex + last) ^ getInt(b, bIndex + last))
        == 0;
  }

  /// The word that has `value` in each byte.
  static long pattern(int value) {
    return value * LOW_BITS;
  }

  /// Which bytes are 0. **All bytes are ASCII.**
  static long zeros(long word) {
    return ~(word + LOW_SEVEN) & HIGH_BITS;
  }

  /// The index of the first byte for which a test is true.
  static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }

  /// Which bytes are `A` to `Z`. **All bytes are ASCII.**
  static long uppers(long word) {
    return between(word, 'A', 'Z');
  }

  /// Which bytes are `a` to `z`. **All bytes are ASCII.**
  static long lowers(long word) {
    return between(word, 'a', 'z');
  }

  private static long between(long word, int min, int max) {
    return word + pattern(0x80 - min) & pattern(0x80 + max) - word & HIGH_BITS;
  }

  /// **All bytes are ASCII.**
  static long toLowerCase(long word) {
    return word | uppers(word) >>> 2;
  }

  /// Like [#toLowerCase(long)], for four bytes.
  static int toLowerCase(int word) {
    int uppers =
        word + (int) pattern(0x80 - 'A') & (int) pattern(0x80 + 'Z') - word & (int) HIGH_BITS;
    return word | uppers >>> 2;
  }
}
