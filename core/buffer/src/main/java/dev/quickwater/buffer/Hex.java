package dev.quickwater.buffer;

/// Hexadecimal text from and to buffers.
///
/// Encoding uses lower case. Decoding accepts upper and lower case, without prefix, separators or
/// white space. An error names the index and the character, and the target buffer is unchanged. For
/// arrays, use [java.util.HexFormat].
public final class Hex {

  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  /// The value of each character below 256; -1 if it is not a digit.
  private static final byte[] VALUES = new byte[256];

  static {
    for (int c = 0; c < VALUES.length; c++) {
      VALUES[c] = (byte) Character.digit(c < 0x80 ? c : -1, 16);
    }
  }

  private Hex() {}

  /// Writes two digits for each readable byte of `source` to `target`. The indices of `source`
  /// stay. The caller keeps ownership of both buffers, which must not overlap.
  public static void encode(ByteBuf source, ByteBuf target) {
    int length = source.readableBytes();
    int from = source.readerIndex();
    target.ensureWritable(Math.multiplyExact(2, length));
    int to = target.writerIndex();
    for (int i = 0; i < length; i++) {
      int value = source.getByte(from + i);
      target.setShort(to + 2 * i, DIGITS[value >> 4 & 15] << 8 | DIGITS[value & 15]);
    }
    target.writerIndex(to + 2 * length);
  }

  /// The readable bytes of a buffer as text. The indices of the buffer stay.
  public static String encode(ByteBuf source) {
    ByteBuf text = ByteBuf.wrap(new byte[Math.multiplyExact(2, source.readableBytes())]).clear();
    encode(source, text);
    return text.toString(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  /// Decodes a text to `target`.
  ///
  /// @throws IllegalArgumentException if the number of characters is odd or a character is not a
  ///   digit; nothing is written then
  public static void decode(CharSequence source, ByteBuf target) {
    int length = requireEven(source.length());
    target.ensureWritable(length);
    int to = target.writerIndex();
    for (int i = 0; i < length; i++) {
      int high = value(source.charAt(2 * i));
      int low = value(source.charAt(2 * i + 1));
      if ((high | low) < 0) {
        int index = high < 0 ? 2 * i : 2 * i + 1;
        throw noDigit(source.charAt(index), index);
      }
      target.setByte(to + i, high << 4 | low);
    }
    target.writerIndex(to + length);
  }

  /// Decodes the readable ASCII text of `source` to `target`. The indices of `source` stay. The
  /// caller keeps ownership of both buffers, which must not overlap.
  ///
  /// @throws IllegalArgumentException as [#decode(CharSequence,ByteBuf)], with the index counted
  ///   from the reader index
  public static void decode(ByteBuf source, ByteBuf target) {
    int length = requireEven(source.readableBytes());
    int from = source.readerIndex();
    target.ensureWritable(length);
    int to = target.writerIndex();
    for (int i = 0; i < length; i++) {
      int pair = source.getUnsignedShort(from + 2 * i);
      int high = VALUES[pair >> 8];
      int low = VALUES[pair & 0xff];
      if ((high | low) < 0) {
        throw high < 0 ? noDigit(pair >> 8, 2 * i) : noDigit(pair & 0xff, 2 * i + 1);
      }
      target.setByte(to + i, high << 4 | low);
    }
    target.writerIndex(to + length);
  }

  private static int value(char c) {
    return c < VALUES.length ? VALUES[c] : -1;
  }

  private static int requireEven(int digits) {
    if ((digits & 1) != 0) {
      throw new IllegalArgumentException(digits + " hexadecimal digits, expected an even number");
    }
    return digits / 2;
  }

  private static IllegalArgumentException noDigit(int c, int index) {
    return new IllegalArgumentException(
        "%s at index %d is not a hexadecimal digit".formatted(Base64Codec.describe(c), index));
  }
}
