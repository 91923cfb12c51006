package dev.quickwater.buffer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.quickwater.buffer.memory.Raw;
import dev.quickwater.system.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// Decodes well-formed UTF-8 of a moderate length. The JDK decodes all other input, so malformed
/// input is replaced exactly as [String#String(byte[],java.nio.charset.Charset)] does.
final class Utf8Decoder {

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong NATIVE_WORD =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final MemorySegment ALL = Memory.all();

  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

  /// As signed bytes, exactly the continuation bytes are below this value.
  private static final byte FIRST_NO_CONTINUATION = (byte) 0xc0;

  /// The lead bytes 0xc2 and 0xc3 begin the characters of Latin-1 that are not ASCII.
  private static final byte FIRST_LATIN = (byte) 0xc2;

  private static final byte FIRST_ABOVE_LATIN = (byte) 0xc4;

  private static final char MIN_OF_THREE = 0x800;

  private Utf8Decoder() {}

  /// `length` bytes of a buffer as text; malformed input is replaced.
  static String text(ByteBuf buffer, int index, int length, Charset charset) {
    buffer.checkRange(index, length);
    return text(buffer.array, buffer.address + index, length, charset);
  }

  /// The text of a region whose range was checked.
  static String text(byte @Nullable [] array, long address, int length, Charset charset) {
    if (charset == UTF_8) {
      return array == null ? decode(address, length) : decode(array, (int) address, length);
    }
    boolean jdk = charset == ISO_8859_1 || charset == US_ASCII;
    if (jdk && array != null) {
      return new String(array, (int) address, length, charset);
    }
    // The decoder of another charset may be foreign code. It must reach neither the scratch array
    // of this thread nor an array with the bytes of other buffers.
    byte[] bytes = jdk ? Scratch.bytes(length) : new byte[length];
    Raw.copy(array, address, bytes, 0, length);
    return new String(bytes, 0, length, charset);
  }

  /// Copies native memory to an array and decodes it there. The copy also detects whether all bytes
  /// are ASCII.
  @SuppressWarnings("deprecation") // that constructor takes ASCII without looking at it again
  static String decode(long address, int length) {
    byte[] bytes = Scratch.bytes(length);
    long start = address & Memory.ADDRESS_MASK;
    long seen = 0;
    int last = length - Long.BYTES;
    if (last >= 0) {
      for (int i = 0; i < last; i += Long.BYTES) {
        long word = ALL.get(NATIVE_WORD, start + i);
        WORD.set(bytes, i, word);
        seen |= word;
      }
      // The last word overlaps the previous one: the exit of a byte loop would be mispredicted.
      long word = ALL.get(NATIVE_WORD, start + last);
      WORD.set(bytes, last, word);
      seen |= word;
    } else {
      for (int i = 0; i < length; i++) {
        byte value = ALL.get(JAVA_BYTE, start + i);
        bytes[i] = value;
        seen |= value;
      }
    }
    return (seen & NOT_ASCII) == 0 ? new String(bytes, 0, 0, length) : decode(bytes, 0, length);
  }

  /// Decodes a part of an array. The JDK decodes text that is ASCII, long or malformed.
  @SuppressWarnings("deprecation") // that constructor takes Latin-1 as it is
  static String decode(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int ascii = asciiEnd(bytes, offset, end);
    if (ascii == end || length > Scratch.SIZE || Thread.currentThread().isVirtual()) {
      return new String(bytes, offset, length, UTF_8);
    }
    if (bytes[ascii] < FIRST_ABOVE_LATIN) {
      byte[] latin = Scratch.latin();
      System.arraycopy(bytes, offset, latin, 0, ascii - offset);
      int count = decodeLatin(bytes, ascii, end, latin, ascii - offset);
      if (count >= 0) {
        return new String(latin, 0, 0, count);
      }
    }
    char[] chars = Scratch.chars();
    for (int i = offset; i < ascii; i++) {
      chars[i - offset] = (char) bytes[i];
    }
    int count = decode(bytes, ascii, end, chars, ascii - offset);
    return count < 0 ? new String(bytes, offset, length, UTF_8) : new String(chars, 0, count);
  }

  /// Decodes text whose characters are all below 256. Each step decodes the ASCII characters of one
  /// word and the next other character. A test of each byte mispredicts twice as many branches.
  ///
  /// @param count the number of characters that `latin` already contains
  /// @return the number of characters in `latin` at the end; -1 if a character is 256 or above, or
  ///   the input is malformed
  private static int decodeLatin(byte[] bytes, int from, int end, byte[] latin, int count) {
    int n = count;
    int i = from;
    while (i < end) {
      if (i <= end - Long.BYTES) {
        long word = (long) WORD.get(bytes, i);
        WORD.set(latin, n, word);
        int ascii = Long.numberOfTrailingZeros(word & NOT_ASCII) / Byte.SIZE;
        n += ascii;
        i += ascii;
        if (ascii == Long.BYTES) {
          continue;
        }
      } else if (bytes[i] >= 0) {
        latin[n++] = bytes[i++];
        continue;
      }
      int lead = bytes[i];
      if (lead < FIRST_LATIN
          || lead >= FIRST_ABOVE_LATIN
          || i + 1 >= end
          || bytes[i + 1] >= FIRST_NO_CONTINUATION) {
        return -1;
      }
      latin[n++] = (byte) (lead << 6 | bytes[i + 1] & 0x3f);
      i += 2;
    }
    return n;
  }

  /// The index of the first byte that is not ASCII, or `end`.
  private static int asciiEnd(byte[] bytes, int from, int end) {
    int i = from;
    while (i <= end - Long.BYTES && ((long) WORD.get(bytes, i) & NOT_ASCII) == 0) {
      i += Long.BYTES;
    }
    while (i < end && bytes[i] >= 0) {
      i++;
    }
    return i;
  }

  /// Decodes to an array that has room for one character per byte.
  ///
  /// @return the number of characters in the array, with the `count` earlier ones; -1 for malformed
  ///   input
  private static int decode(byte[] bytes, int from, int end, char[] chars, int count) {
    int n = count;
    int i = from;
    while (i < end) {
      int a = bytes[i];
      if (a >= 0) {
        chars[n++] = (char) a;
        i++;
      } else if (a >= (byte) 0xe0 && a < (byte) 0xf0) {
        if (i + 2 >= end) {
          return -1;
        }
        int b = bytes[i + 1];
        int c = bytes[i + 2];
        char point = (char) (a << 12 | (b & 0x3f) << 6 | c & 0x3f);
        if (Math.max(b, c) >= FIRST_NO_CONTINUATION
            || point < MIN_OF_THREE
            || Character.isSurrogate(point)) {
          return -1;
        }
        chars[n++] = point;
        i += 3;
      } else if (a >= (byte) 0xc2 && a < (byte) 0xe0) {
        if (i + 1 >= end || bytes[i + 1] >= FIRST_NO_CONTINUATION) {
          return -1;
        }
        chars[n++] = (char) ((a & 0x1f) << 6 | bytes[i + 1] & 0x3f);
        i += 2;
      } else {
        int point = fourBytes(bytes, i, end);
        if (point < 0) {
          return -1;
        }
        chars[n] = Character.highSurrogate(point);
        chars[n + 1] = Character.lowSurrogate(point);
        n += 2;
        i += 4;
      }
    }
    return n;
  }

  /// @return the code point, or -1 if the bytes are not a well-formed sequence of four
  private static int fourBytes(byte[] bytes, int i, int end) {
    if (i + 3 >= end
        || bytes[i] < (byte) 0xf0
        || bytes[i + 1] >= FIRST_NO_CONTINUATION
        || bytes[i + 2] >= FIRST_NO_CONTINUATION
        || bytes[i + 3] >= FIRST_NO_CONTINUATION) {
      return -1;
    }
    int point =
        (bytes[i] & 0xf) << 18
            | (bytes[i + 1] & 0x3f) << 12
            | (bytes[i + 2] & 0x3f) << 6
            | bytes[i + 3] & 0x3f;
    return Character.isSupplementaryCodePoint(point) ? point : -1;
  }
}
