package dev.quickwater.common.text;

import java.security.SecureRandom;

/// Hashes of text by folded multiplication (the low half of a product xor its high half, as in
/// wyhash) under keys that are drawn when the JVM starts: products of 128 bits of sixteen bytes at
/// a time, or one of 64 bits for up to eight bytes.
///
/// A text is its length and words that cover it, the last of which may overlap the one before: how
/// the text is stored makes no difference. Case is folded for `A` to `Z` alone, because what merged
/// other characters would let a peer write names that collide.
final class AsciiHash {

  private static final int PAIR = 2 * Words.SIZE;

  /// Of four bytes, the bits of ASCII.
  private static final int LOW_SEVEN = 0x7f7f_7f7f;

  private static final long KEY_A;
  private static final long KEY_B;
  private static final int SHORT_A;
  private static final int SHORT_B;

  static {
    SecureRandom random = new SecureRandom();
    KEY_A = random.nextLong();
    KEY_B = random.nextLong();
    SHORT_A = random.nextInt();
    // The one factor of up to three bytes; an odd one loses no bit of the product's low half.
    SHORT_B = random.nextInt() | 1;
  }

  private AsciiHash() {}

  static int ofBytes(byte[] array, int offset, int length, boolean ignoreCase) {
    if (length < Integer.BYTES) {
      return ofShort(Words.few(array, offset, length), 0, length, ignoreCase);
    }
    int end = offset + length;
    if (length <= Words.SIZE) {
      int second = Words.getInt(array, end - Integer.BYTES);
      return ofShort(Words.getInt(array, offset), second, length, ignoreCase);
    }
    int last = end - Words.SIZE;
    long state = KEY_B ^ length;
    int i = offset;
    for (; Words.count(last - i) > 1; i += PAIR) {
      long first = Words.get(array, i);
      state = step(state, first, Words.get(array, i + Words.SIZE), ignoreCase);
    }
    long left = i < last ? Words.get(array, i) : 0;
    return fold(step(state, Words.get(array, last), left, ignoreCase));
  }

  static int ofChars(CharSequence text, boolean ignoreCase) {
    // Strings by themselves: their type is then known wherever a character is taken.
    return text instanceof String string ? ofText(string, ignoreCase) : ofText(text, ignoreCase);
  }

  /// The loop's test is not on its index, because C2 checks all places of a round by themselves
  /// before a loop that it can count, which costs more than what most names need.
  private static int ofText(CharSequence text, boolean ignoreCase) {
    int length = text.length();
    if (length < Integer.BYTES) {
      return ofShort(Words.fewChars(text, length, ignoreCase), 0, length, ignoreCase);
    }
    if (length <= Words.SIZE) {
      long word = Words.ofChars(text, 0, length - Integer.BYTES, ignoreCase);
      return ofShort((int) word, (int) (word >>> Integer.SIZE), length, ignoreCase);
    }
    int last = length - Words.SIZE;
    long state = KEY_B ^ length;
    int i = 0;
    for (; Words.count(last - i) > 1; i += PAIR) {
      long first = word(text, i, ignoreCase);
      state = step(state, first, word(text, i + Words.SIZE, ignoreCase), ignoreCase);
    }
    long left = i < last ? word(text, i, ignoreCase) : 0;
    return fold(step(state, word(text, last, ignoreCase), left, ignoreCase));
  }

  private static long word(CharSequence text, int index, boolean ignoreCase) {
    return Words.ofChars(text, index, index + Integer.BYTES, ignoreCase);
  }

  /// What stands for four characters of which one is beyond ASCII: as hard to foresee as the rest,
  /// and the same whatever the case of their letters where that is asked. Its bytes are ASCII, as
  /// [Words#toLowerCase(long)] needs: what one byte carried would change the case of the next.
  static int ofWide(int a, int b, int c, int d, boolean ignoreCase) {
    long low = ignoreCase ? lower(a) | (long) lower(b) << 16 : a | (long) b << 16;
    long high = ignoreCase ? lower(c) | (long) lower(d) << 16 : c | (long) d << 16;
    long one = (low | high << 32) ^ KEY_A;
    return fold(Math.unsignedMultiplyHigh(one, KEY_B | 1) ^ one * (KEY_B | 1)) & LOW_SEVEN;
  }

  private static int lower(int c) {
    return AsciiCase.toLowerCase(c);
  }

  private static int ofShort(int first, int second, int length, boolean ignoreCase) {
    int a = ignoreCase ? Words.toLowerCase(first) : first;
    int b = ignoreCase ? Words.toLowerCase(second) : second;
    long product =
        Integer.toUnsignedLong(a ^ SHORT_A ^ length) * Integer.toUnsignedLong(b ^ SHORT_B);
    return (int) (product ^ product >>> 32);
  }

  private static long step(long state, long first, long second, boolean ignoreCase) {
    long a = (ignoreCase ? Words.toLowerCase(first) : first) ^ KEY_A;
    long b = (ignoreCase ? Words.toLowerCase(second) : second) ^ state;
    return Math.unsignedMultiplyHigh(a, b) ^ a * b;
  }

  private static int fold(long hash) {
    return (int) (hash ^ hash >>> 32);
  }
}
