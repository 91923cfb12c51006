package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The static Huffman code of HPACK (RFC 7541 section 5.2 and appendix B).
///
/// The code is canonical: codes of equal length are consecutive numbers in the order of their
/// symbols. The lengths therefore determine all codes, and the tables are computed from the
/// lengths.
final class Huffman {

  /// The lengths of the codes of the symbols 0 to 256, a letter each: `a` is 5 bits, `z` is 30.
  private static final String LENGTHS =
      "isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhfibcccccccccccccc"
          + "ccccccccdcdioijbkabababbbaccbbbabcbaabccccckgjixprpprrrsrssssststtrstssssqrsrsst"
          + "rqprrssqsrrtqrssqqrqsrssprrrsrrsvvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvs"
          + "vwvvwwwwwxwwwwwvz";

  private static final int MIN_LENGTH = 5;
  private static final int MAX_LENGTH = 30;

  /// End of string. It never occurs in a string; padding consists of its first bits (section 5.2).
  private static final int EOS = 256;

  /// One table look-up decodes a code of up to this many bits, or two codes that have this many
  /// bits together. The usual characters of URLs, names and dates have codes of 5 to 8 bits.
  private static final int FAST_BITS = 12;

  /// By symbol: the code, and its length in the low byte.
  private static final long[] CODE = new long[EOS + 1];

  private static final byte[] LENGTH = new byte[EOS + 1];

  /// By the next [#FAST_BITS] bits: the first symbol in the low byte, the second one above, the
  /// length of both codes from [#LENGTH_SHIFT], the length of the first code from
  /// [#FIRST_LENGTH_SHIFT], and the number of symbols from [#COUNT_SHIFT]; 0 for a longer code.
  private static final int[] FAST = new int[1 << FAST_BITS];

  private static final int LENGTH_SHIFT = 16;
  private static final int FIRST_LENGTH_SHIFT = 20;
  private static final int COUNT_SHIFT = 24;
  private static final int LENGTH_MASK = 0xf;

  /// By length: the first code of a greater length, in the high bits of an `int`.
  private static final long[] LIMIT = new long[MAX_LENGTH + 1];

  /// By length: what to add to a code to get its place in [#SYMBOLS].
  private static final int[] OFFSET = new int[MAX_LENGTH + 1];

  /// All symbols in the order of their codes.
  private static final short[] SYMBOLS = new short[EOS + 1];

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  static {
    int code = 0;
    int place = 0;
    for (int length = MIN_LENGTH; length <= MAX_LENGTH; length++) {
      OFFSET[length] = place - code;
      for (int symbol = 0; symbol <= EOS; symbol++) {
        if (LENGTHS.charAt(symbol) - 'a' + MIN_LENGTH == length) {
          CODE[symbol] = (long) code << Byte.SIZE | length;
          LENGTH[symbol] = (byte) length;
          SYMBOLS[place++] = (short) symbol;
          code++;
        }
      }
      LIMIT[length] = (long) code << Integer.SIZE - length;
      code <<= 1;
    }
    for (int i = 0; i < FAST.length; i++) {
      FAST[i] = fastEntry(i);
    }
  }

  private static int fastEntry(int bits) {
    int length = lengthOf((long) bits << Integer.SIZE - FAST_BITS, MIN_LENGTH);
    if (length > FAST_BITS) {
      return 0;
    }
    int symbol = SYMBOLS[(bits >>> FAST_BITS - length) + OFFSET[length]];
    int first = symbol | length << FIRST_LENGTH_SHIFT;
    int left = FAST_BITS - length;
    int rest = bits & (1 << left) - 1;
    int next = lengthOf((long) rest << Integer.SIZE - left, MIN_LENGTH);
    if (next > left) {
      return first | length << LENGTH_SHIFT | 1 << COUNT_SHIFT;
    }
    int second = SYMBOLS[(rest >>> left - next) + OFFSET[next]];
    return first | second << Byte.SIZE | length + next << LENGTH_SHIFT | 2 << COUNT_SHIFT;
  }

  private Huffman() {}

  /// The number of bytes of the encoded form of `count` bytes.
  static int encodedLength(byte[] text, int from, int count) {
    long bits = 0;
    for (int i = from; i < from + count; i++) {
      bits += LENGTH[text[i] & 0xff];
    }
    return (int) (bits + 7 >>> 3);
  }

  /// Writes the encoded form of `count` bytes, padded with the first bits of EOS.
  static void encode(byte[] text, int from, int count, ByteBuf out) {
    long pending = 0;
    int bits = 0;
    for (int i = from; i < from + count; i++) {
      long code = CODE[text[i] & 0xff];
      int length = (int) code & 0xff;
      pending = pending << length | code >>> Byte.SIZE;
      bits += length;
      if (bits >= Integer.SIZE) {
        bits -= Integer.SIZE;
        out.writeInt((int) (pending >>> bits));
      }
    }
    while (bits >= Byte.SIZE) {
      bits -= Byte.SIZE;
      out.writeByte((int) (pending >>> bits));
    }
    if (bits > 0) {
      int free = Byte.SIZE - bits;
      out.writeByte((int) (pending << free) | (1 << free) - 1);
    }
  }

  /// The room in bytes that decoding `length` bytes needs: the shortest code has 5 bits, and the
  /// second symbol of a look-up is written before it is counted.
  static int maxDecoded(int length) {
    return (int) ((long) length * Byte.SIZE / MIN_LENGTH) + 1;
  }

  /// Decodes `text[from, to)` to the start of `out`, which has room for [#maxDecoded].
  ///
  /// @return the number of decoded bytes, or -1 if the string is malformed: it contains EOS, or its
  ///   padding is longer than 7 bits or has a zero bit (section 5.2)
  static int decode(byte[] text, int from, int to, byte[] out) {
    long window = 0; // the next bits, left-aligned, and zeros
    int bits = 0;
    int next = from;
    int count = 0;
    while (to - next >= Long.BYTES) {
      // At least 56 bits: every code is complete.
      window |= (long) LONGS.get(text, next) >>> bits;
      next += Long.SIZE - 1 - bits >> 3;
      bits |= Long.SIZE - Byte.SIZE;
      while (bits >= MAX_LENGTH) {
        int fast = FAST[(int) (window >>> Long.SIZE - FAST_BITS)];
        int length = fast >>> LENGTH_SHIFT & LENGTH_MASK;
        if (fast != 0) {
          out[count] = (byte) fast;
          out[count + 1] = (byte) (fast >>> Byte.SIZE);
          count += fast >>> COUNT_SHIFT;
        } else {
          length = lengthOf(window >>> Integer.SIZE, FAST_BITS + 1);
          int symbol = SYMBOLS[(int) (window >>> Long.SIZE - length) + OFFSET[length]];
          if (symbol == EOS) {
            return -1;
          }
          out[count++] = (byte) symbol;
        }
        window <<= length;
        bits -= length;
      }
      // The window may have bits beyond `bits`. The next load writes the same bits again.
    }
    return decodeEnd(text, next, to, out, count, window, bits);
  }

  private static int decodeEnd(
      byte[] text, int from, int to, byte[] out, int decoded, long begun, int begunBits) {
    long window = begun;
    int bits = begunBits;
    int next = from;
    int count = decoded;
    while (true) {
      while (bits <= Long.SIZE - Byte.SIZE && next < to) {
        window |= (text[next++] & 0xffL) << Long.SIZE - Byte.SIZE - bits;
        bits += Byte.SIZE;
      }
      int fast = FAST[(int) (window >>> Long.SIZE - FAST_BITS)];
      int length = fast >>> LENGTH_SHIFT & LENGTH_MASK;
      if (fast != 0 && length <= bits) {
        out[count] = (byte) fast;
        out[count + 1] = (byte) (fast >>> Byte.SIZE);
        count += fast >>> COUNT_SHIFT;
      } else {
        length =
            fast != 0
                ? fast >>> FIRST_LENGTH_SHIFT & LENGTH_MASK
                : lengthOf(window >>> Integer.SIZE, FAST_BITS + 1);
        if (length > bits) {
          return isPadding(window, bits) ? count : -1;
        }
        int symbol =
            fast != 0
                ? fast & 0xff
                : SYMBOLS[(int) (window >>> Long.SIZE - length) + OFFSET[length]];
        if (symbol == EOS) {
          return -1;
        }
        out[count++] = (byte) symbol;
      }
      window <<= length;
      bits -= length;
    }
  }

  /// The length of the code at the start of 32 bits; it is at least `least`.
  private static int lengthOf(long high, int least) {
    int length = least;
    while (high >= LIMIT[length]) {
      length++;
    }
    return length;
  }

  private static boolean isPadding(long window, int bits) {
    return bits == 0 || bits < Byte.SIZE && window >>> Long.SIZE - bits == (1L << bits) - 1;
  }
}
