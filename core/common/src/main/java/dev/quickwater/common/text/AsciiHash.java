package dev.quickwater.common.text;

import java.security.SecureRandom;

/// Hashes of text, sixteen bytes at a time by folded multiplication (the low half of a product of
/// 128 bits xor its high half, as in wyhash), under two keys that are drawn when the JVM starts.
///
/// A text is its bytes with zeros up to a multiple of eight, and its length: how it is stored makes
/// no difference.
final class AsciiHash {

  private static final int PAIR = 2 * Words.SIZE;

  private static final long KEY_A;
  private static final long KEY_B;

  static {
    SecureRandom random = new SecureRandom();
    // An odd factor never loses a bit of the other one's low half.
    KEY_A = random.nextLong();
    KEY_B = random.nextLong() | 1;
  }

  private AsciiHash() {}

  static int ofBytes(byte[] array, int offset, int length, boolean ignoreCase) {
    long state = KEY_B;
    int index = offset;
    int rest = length;
    for (; rest > PAIR; rest -= PAIR, index += PAIR) {
      state =
          mix(
              word(Words.get(array, index), ignoreCase) ^ KEY_A,
              word(Words.get(array, index + Words.SIZE), ignoreCase) ^ state);
    }
    long first;
    long second = 0;
    if (rest >= Words.SIZE) {
      first = Words.get(array, index);
      if (rest > Words.SIZE) {
        second = Words.get(array, index + rest - Words.SIZE) >>> ((PAIR - rest) << 3);
      }
    } else {
      first = Words.getPart(array, index, rest);
    }
    return finish(state, word(first, ignoreCase), word(second, ignoreCase), length);
  }

  static int ofChars(CharSequence text, boolean ignoreCase) {
    int length = text.length();
    long state = KEY_B;
    int index = 0;
    for (; length - index > PAIR; index += PAIR) {
      state =
          mix(
              word(Words.ofChars(text, index, Words.SIZE), ignoreCase) ^ KEY_A,
              word(Words.ofChars(text, index + Words.SIZE, Words.SIZE), ignoreCase) ^ state);
    }
    int rest = length - index;
    int inFirst = Math.min(rest, Words.SIZE);
    long first = Words.ofChars(text, index, inFirst);
    long second = Words.ofChars(text, index + inFirst, rest - inFirst);
    return finish(state, word(first, ignoreCase), word(second, ignoreCase), length);
  }

  private static long word(long word, boolean ignoreCase) {
    return ignoreCase ? Words.toLowerCase(word) : word;
  }

  private static int finish(long state, long first, long second, int length) {
    long hash = mix(first ^ KEY_A ^ length, second ^ state);
    return (int) (hash ^ hash >>> 32);
  }

  private static long mix(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ a * b;
  }
}
