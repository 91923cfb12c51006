package dev.quickwater.util.text;

import java.security.SecureRandom;

/// Hashes of text by folded multiplication (the low half of a product xor its high half, as in
/// wyhash) with keys that are drawn when the JVM starts. Products have 128 bits for sixteen bytes
/// at a time, or 64 bits for up to eight bytes.
///
/// The input is the length and words that cover the text; the last word may overlap the one before.
/// The hash does not depend on how the text is stored. Case is folded for `A` to `Z` alone: a fold
/// that merged other characters would let a peer write names that collide.
final class AsciiHash {

  private static final int PAIR = 2 * Words.SIZE;

  /// The ASCII bits of four bytes.
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
    // The factor for up to three bytes. It is odd, which keeps all bits of the product's low half.
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
    // Strings separately: the type is then known at each access to a character.
    return text instanceof String string ? ofText(string, ignoreCase) : ofText(text, ignoreCase);
  }

  /// The loop's condition is not on its index. Before a counted loop, C2 checks all accesses of a
  /// round separately, which costs more than most names need.
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

  /// The word for four characters of which one is beyond ASCII: as unpredictable as other words,
  /// and the same for both cases of letters if case is folded. Its bytes are ASCII, as
  /// [Words#toLowerCase(long)] requires; a carry between bytes would change the case of the next.
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
