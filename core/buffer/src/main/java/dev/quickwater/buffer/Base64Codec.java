package dev.quickwater.buffer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Base64 (RFC 4648) from and to buffers, in the standard alphabet or in the alphabet for URLs and
/// file names.
///
/// - Encoding pads to a multiple of four characters, unless the codec is [#withoutPadding].
/// - Decoding is strict. It accepts only characters of the alphabet, without line breaks or white
///   space. Padding is complete or absent, and nothing follows it.
/// - Surplus bits of the last character must be 0 (RFC 4648 section 3.5). Two texts without padding
///   therefore never decode to the same bytes.
/// - An error names the index and the character, and the target buffer is unchanged.
/// - Immutable and safe on any thread. For arrays, use [java.util.Base64].
public final class Base64Codec {

  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  /// The alphabet with `+` and `/` (RFC 4648 section 4).
  public static final Base64Codec STANDARD = new Base64Codec(LETTERS + "+/", true);

  /// The alphabet with `-` and `_` (RFC 4648 section 5).
  public static final Base64Codec URL = new Base64Codec(LETTERS + "-_", true);

  private static final byte PADDING = '=';

  private final String alphabet;
  private final byte[] characters;

  /// The value of each character below 256, -1 for those that are not in the alphabet.
  private final byte[] values = new byte[256];

  private final boolean padded;

  private Base64Codec(String alphabet, boolean padded) {
    this.alphabet = alphabet;
    this.characters = alphabet.getBytes(StandardCharsets.US_ASCII);
    this.padded = padded;
    Arrays.fill(values, (byte) -1);
    for (int i = 0; i < characters.length; i++) {
      values[characters[i]] = (byte) i;
    }
  }

  /// The same alphabet, but encoding does not pad.
  public Base64Codec withoutPadding() {
    return new Base64Codec(alphabet, false);
  }

  /// The number of characters that encode `bytes` bytes.
  ///
  /// @throws IllegalArgumentException if `bytes` is negative
  /// @throws ArithmeticException if the result does not fit an `int`
  public int encodedSize(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes, expected 0 or more");
    }
    long size = padded ? (bytes + 2L) / 3 * 4 : (bytes * 4L + 2) / 3;
    return Math.toIntExact(size);
  }

  /// Writes the readable bytes of `source` to `target` as text. The indices of `source` stay. The
  /// caller keeps ownership of both buffers, which must not overlap.
  public void encode(ByteBuf source, ByteBuf target) {
    int length = source.readableBytes();
    int size = encodedSize(length);
    target.ensureWritable(size);
    int from = source.readerIndex();
    int start = target.writerIndex();
    int to = start;
    byte[] table = characters;
    int whole = length - length % 3;
    int end = from + whole;
    for (; from < end; from += 3, to += 4) {
      int bits = source.getUnsignedShort(from) << 8 | source.getUnsignedByte(from + 2);
      target.setInt(
          to,
          table[bits >> 18] << 24
              | table[bits >> 12 & 63] << 16
              | table[bits >> 6 & 63] << 8
              | table[bits & 63]);
    }
    if (whole < length) {
      boolean two = length - whole == 2;
      int bits = source.getUnsignedByte(from) << 16;
      bits |= two ? source.getUnsignedByte(from + 1) << 8 : 0;
      target.setShort(to, table[bits >> 18] << 8 | table[bits >> 12 & 63]);
      if (two) {
        target.setByte(to + 2, table[bits >> 6 & 63]);
      }
      for (int i = to + (two ? 3 : 2); i < start + size; i++) {
        target.setByte(i, PADDING);
      }
    }
    target.writerIndex(start + size);
  }

  /// The readable bytes of a buffer as text. The indices of the buffer stay.
  public String encode(ByteBuf source) {
    ByteBuf text = ByteBuf.wrap(new byte[encodedSize(source.readableBytes())]).clear();
    encode(source, text);
    return text.toString(StandardCharsets.ISO_8859_1);
  }

  /// Decodes a text to `target`.
  ///
  /// @throws IllegalArgumentException if it is malformed; nothing is written then
  public void decode(CharSequence source, ByteBuf target) {
    int length = source.length();
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      char c = source.charAt(i);
      if (c >= 0x80) {
        throw misplaced(c, i);
      }
      text[i] = (byte) c;
    }
    decode(ByteBuf.wrap(text), target);
  }

  /// Decodes the readable ASCII text of `source` to `target`. The indices of `source` stay. The
  /// caller keeps ownership of both buffers, which must not overlap.
  ///
  /// @throws IllegalArgumentException if it is malformed, with the index counted from the reader
  ///   index; nothing is written then
  public void decode(ByteBuf source, ByteBuf target) {
    int from = source.readerIndex();
    int length = withoutPadding(source, from, source.readableBytes());
    int rest = length & 3;
    target.ensureWritable(length / 4 * 3 + (rest == 0 ? 0 : rest - 1));
    int to = target.writerIndex();
    byte[] table = values;
    int i = 0;
    for (; i < length - rest; i += 4, to += 3) {
      int word = source.getInt(from + i);
      int bits =
          table[word >>> 24] << 18
              | table[word >> 16 & 0xff] << 12
              | table[word >> 8 & 0xff] << 6
              | table[word & 0xff];
      if (bits < 0) {
        throw malformed(source, from, i);
      }
      target.setShort(to, bits >> 8).setByte(to + 2, bits);
    }
    if (rest > 0) {
      int bits = table[source.getUnsignedByte(from + i)] << 18;
      bits |= table[source.getUnsignedByte(from + i + 1)] << 12;
      bits |= rest == 3 ? table[source.getUnsignedByte(from + i + 2)] << 6 : 0;
      if (bits < 0) {
        throw malformed(source, from, i);
      }
      if ((bits & (rest == 3 ? 0xff : 0xffff)) != 0) {
        int last = i + rest - 1;
        throw new IllegalArgumentException(
            "%s at index %d has surplus bits that are not 0"
                .formatted(describe(source.getUnsignedByte(from + last)), last));
      }
      target.setByte(to++, bits >> 16);
      if (rest == 3) {
        target.setByte(to++, bits >> 8);
      }
    }
    target.writerIndex(to);
  }

  /// The length without padding. Padding must be absent or extend the text to a multiple of four.
  private static int withoutPadding(ByteBuf source, int from, int length) {
    int end = length;
    while (end > 0 && length - end < 2 && source.getByte(from + end - 1) == PADDING) {
      end--;
    }
    if ((end & 3) == 1) {
      throw new IllegalArgumentException(
          end + " Base64 characters before padding, no number of bytes has this length");
    }
    if (end < length && (length & 3) != 0) {
      throw new IllegalArgumentException(
          "%d Base64 characters with padding, expected a multiple of 4".formatted(length));
    }
    return end;
  }

  private IllegalArgumentException malformed(ByteBuf source, int from, int index) {
    int i = index;
    while (values[source.getUnsignedByte(from + i)] >= 0) {
      i++;
    }
    return misplaced(source.getUnsignedByte(from + i), i);
  }

  private static IllegalArgumentException misplaced(int c, int index) {
    return new IllegalArgumentException(
        "%s at index %d is not Base64 here".formatted(describe(c), index));
  }

  /// A character as text for a message; control characters are shown as numbers, because a terminal
  /// would interpret them.
  static String describe(int c) {
    return c > ' ' && c < 0x7f ? "'" + (char) c + "'" : "character 0x%02x".formatted(c);
  }
}
