package dev.quickwater.buffer;

/// Search in a buffer, eight bytes at a time.
final class ByteSearch {

  private static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private ByteSearch() {}

  /// The first index in `[from, to)`, a range inside the buffer, that has `value`, or -1.
  static int indexOf(ByteBuf buffer, int from, int to, byte value) {
    int index = from;
    long pattern = (value & 0xff) * LOW_BITS;
    for (; index <= to - Long.BYTES; index += Long.BYTES) {
      long difference = buffer.getLong(index) ^ pattern;
      if (hasZeroByte(difference)) {
        break;
      }
    }
    for (; index < to; index++) {
      if (buffer.getByte(index) == value) {
        return index;
      }
    }
    return -1;
  }

  /// The well-known test of "Bit Twiddling Hacks": subtracting 1 sets the high bit of a byte that
  /// was 0.
  private static boolean hasZeroByte(long word) {
    return ((word - LOW_BITS) & ~word & HIGH_BITS) != 0;
  }
}
