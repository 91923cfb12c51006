package dev.quickwater.buffer;

import static java.lang.Character.isHighSurrogate;
import static java.lang.Character.isLowSurrogate;
import static java.lang.Character.isSurrogate;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.quickwater.buffer.memory.Raw;
import dev.quickwater.system.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes UTF-8 and ASCII directly to the memory of a buffer, without an intermediate copy.
///
/// A surrogate without its partner becomes `?`, as with [String#getBytes()].
public final class Utf8 {

  private static final char ASCII_END = 0x80;
  private static final char TWO_BYTES_END = 0x800;

  /// The maximum bytes of one character. A pair of surrogates takes four.
  private static final int MAX_BYTES = 3;

  /// The minimum length of texts that are tested for ASCII and copied. A loop is faster for shorter
  /// texts.
  private static final int COPIED_LENGTH = 24;

  /// The minimum number of characters that are counted in blocks.
  private static final int COUNTED_LENGTH = 32;

  /// Characters that are copied at a time. The scratch array has room for three more.
  private static final int BLOCK = 1024;

  // Bits of each of the four characters in a word.
  private static final long BITS_7_TO_10 = 0x0780_0780_0780_0780L;
  private static final long BIT_11 = 0x0800_0800_0800_0800L;
  private static final long BITS_FROM_11 = 0xf800_f800_f800_f800L;

  private static final ValueLayout.OfLong CHARS = ValueLayout.JAVA_LONG_UNALIGNED;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
  private static final ValueLayout.OfShort NATIVE_SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfInt NATIVE_INT = JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);

  private static final MemorySegment ALL = Memory.all();
  private static final long MASK = Memory.ADDRESS_MASK;

  private Utf8() {}

  /// The number of bytes of a text in UTF-8. Allocates nothing, except a scratch array that each
  /// platform thread keeps.
  ///
  /// @throws ArithmeticException if the number exceeds the range of `int`
  public static int size(CharSequence text) {
    int length = text.length();
    int ascii = 0;
    while (ascii < length && text.charAt(ascii) < ASCII_END) {
      ascii++;
    }
    return ascii == length ? length : Math.toIntExact(length + more(text, ascii, length));
  }

  /// The number of bytes of the characters from `start` on, minus the number of these characters.
  /// `start` is the first character that is not ASCII.
  private static long more(CharSequence text, int start, int length) {
    return length - start >= COUNTED_LENGTH
            && text.charAt(start) < TWO_BYTES_END
            && text instanceof String string
            && !Thread.currentThread().isVirtual()
        ? moreInBlocks(string, start, length)
        : moreThanOne(text, start, length);
  }

  /// Computes [#more] for a text that probably has no character of three bytes. Copies the
  /// characters and counts four in each step, which takes half of the time.
  private static long moreInBlocks(String text, int start, int length) {
    char[] chars = Scratch.chars();
    MemorySegment words = MemorySegment.ofArray(chars);
    long more = 0;
    for (int i = start; i < length; i += BLOCK) {
      long before = more;
      int count = Math.min(length - i, BLOCK);
      text.getChars(i, i + count, chars, 0);
      Arrays.fill(chars, count, count + 3, '\0');
      long all = 0;
      for (int j = 0; j < count; j += 4) {
        long word = words.get(CHARS, (long) j * Character.BYTES);
        all |= word;
        // The addition carries into bit 11 of each character that is not ASCII.
        more += Long.bitCount((word & BITS_7_TO_10) + BITS_7_TO_10 & BIT_11);
      }
      if ((all & BITS_FROM_11) != 0) {
        return before + moreThanOne(text, i, length);
      }
    }
    return more;
  }

  /// Computes [#more]. Characters of one and of two bytes are counted without a branch, because
  /// they often alternate.
  private static long moreThanOne(CharSequence text, int start, int length) {
    long more = 0;
    for (int i = start; i < length; i++) {
      char c = text.charAt(i);
      if (c < TWO_BYTES_END) {
        more += (ASCII_END - 1 - c) >>> (Integer.SIZE - 1);
      } else if (!isSurrogate(c)) {
        more += 2;
      } else if (i + 1 < length && isPair(c, text.charAt(i + 1))) {
        // Two characters, four bytes.
        more += 2;
        i++;
      }
    }
    return more;
  }

  static void write(ByteBuf buffer, CharSequence text) {
    if (text instanceof String string) {
      writeString(buffer, string);
    } else {
      writeSequence(buffer, text, true);
    }
  }

  static void writeAscii(ByteBuf buffer, CharSequence text) {
    if (!(text instanceof String string)) {
      writeSequence(buffer, text, false);
      return;
    }
    int length = string.length();
    buffer.ensureWritable(length);
    if (copyAscii(buffer, string, length)) {
      return;
    }
    byte @Nullable [] array = buffer.array;
    long address = buffer.address;
    int at = buffer.writerIndex();
    for (int i = 0; i < length; i++) {
      char c = string.charAt(i);
      Raw.putByte(array, address, at + i, c < ASCII_END ? c : '?');
    }
    buffer.writerIndex(at + length);
  }

  /// Writes a string. Because a string cannot change, room is made once and the writes are not
  /// checked again.
  private static void writeString(ByteBuf buffer, String text) {
    int length = text.length();
    buffer.ensureWritable(length);
    if (copyAscii(buffer, text, length)) {
      return;
    }
    // Measuring is a second pass. It is necessary only when the writable bytes may not suffice.
    if (buffer.writableBytes() < MAX_BYTES * (long) length) {
      buffer.ensureWritable(size(text));
    }
    if (length == 0) {
      return;
    }
    byte @Nullable [] array = buffer.array;
    long address = buffer.address;
    // A character follows, so there is room for a fourth byte, and one store writes all three.
    int last = length - 1;
    int index = (int) (encode(array, address + buffer.writerIndex(), text, last) - address);
    writeLast(buffer.writerIndex(index), text, last);
  }

  /// Writes an ASCII text by one copy of the bytes of the string, which takes a quarter of the time
  /// of a loop over its characters. The caller has made room for `length` bytes.
  ///
  /// @return false if the text has a non-ASCII character, is short, or leaves no room for the
  ///   terminator that the JDK writes; nothing was written then
  @SuppressWarnings("deprecation") // takes the low byte of each character, as intended
  private static boolean copyAscii(ByteBuf buffer, String text, int length) {
    if (length < COPIED_LENGTH || !isAscii(text, length)) {
      return false;
    }
    int index = buffer.writerIndex();
    long start = buffer.address + index;
    byte @Nullable [] array = buffer.array;
    if (array != null) {
      text.getBytes(0, length, array, (int) start);
    } else if (buffer.writableBytes() > length) {
      long end = start + length & MASK;
      byte behind = ALL.get(JAVA_BYTE, end);
      // With Latin-1, the JDK copies without a check of each character.
      ALL.setString(start & MASK, text, ISO_8859_1);
      ALL.set(JAVA_BYTE, end, behind);
    } else {
      return false;
    }
    buffer.writerIndex(index + length);
    return true;
  }

  /// Tests eight characters with one branch.
  private static boolean isAscii(String text, int length) {
    int i = 0;
    for (; i <= length - 8; i += 8) {
      int all =
          text.charAt(i)
              | text.charAt(i + 1)
              | text.charAt(i + 2)
              | text.charAt(i + 3)
              | text.charAt(i + 4)
              | text.charAt(i + 5)
              | text.charAt(i + 6)
              | text.charAt(i + 7);
      if (all >= ASCII_END) {
        return false;
      }
    }
    int all = 0;
    for (; i < length; i++) {
      all |= text.charAt(i);
    }
    return all < ASCII_END;
  }

  private static void writeLast(ByteBuf buffer, String text, int last) {
    char c = text.charAt(last);
    if (last == 0 || !Character.isSurrogatePair(text.charAt(last - 1), c)) {
      writeSingle(buffer, c);
    }
  }

  /// Writes the characters before `end`, and the one at `end` with them if it completes a pair of
  /// surrogates. There is one loop for each kind of memory: with the kind tested at each store, a
  /// loop takes twice as long.
  ///
  /// The two loops are in one method, which is too large to be inlined: inlined behind
  /// [#copyAscii], the loops take up to 1.6 times as long.
  ///
  /// @return the address behind the last byte
  private static long encode(byte @Nullable [] array, long address, String text, int end) {
    if (array != null) {
      int at = (int) address;
      for (int i = 0; i < end; i++) {
        char c = text.charAt(i);
        if (c < ASCII_END) {
          array[at] = (byte) c;
          at++;
        } else if (c < TWO_BYTES_END) {
          SHORT.set(array, at, (short) twoBytes(c));
          at += 2;
        } else if (!isSurrogate(c)) {
          INT.set(array, at, threeBytes(c));
          at += 3;
        } else {
          char next = text.charAt(i + 1);
          if (isPair(c, next)) {
            INT.set(array, at, fourBytes(Character.toCodePoint(c, next)));
            at += 4;
            i++;
          } else {
            array[at] = (byte) '?';
            at++;
          }
        }
      }
      return address - (int) address + at;
    }
    long at = address;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c < ASCII_END) {
        ALL.set(JAVA_BYTE, at & MASK, (byte) c);
        at++;
      } else if (c < TWO_BYTES_END) {
        ALL.set(NATIVE_SHORT, at & MASK, (short) twoBytes(c));
        at += 2;
      } else if (!isSurrogate(c)) {
        ALL.set(NATIVE_INT, at & MASK, threeBytes(c));
        at += 3;
      } else {
        char next = text.charAt(i + 1);
        if (isPair(c, next)) {
          ALL.set(NATIVE_INT, at & MASK, fourBytes(Character.toCodePoint(c, next)));
          at += 4;
          i++;
        } else {
          ALL.set(JAVA_BYTE, at & MASK, (byte) '?');
          at++;
        }
      }
    }
    return at;
  }

  /// True for both halves of a pair, by one comparison: this saves a branch.
  private static boolean isPair(char high, char low) {
    return ((high << 16 | low) & 0xfc00_fc00) == 0xd800_dc00;
  }

  // The bytes of a character as a number; the first byte is the lowest.

  private static int twoBytes(char c) {
    return 0x80c0 | c >> 6 | (c & 0x3f) << 8;
  }

  private static int threeBytes(char c) {
    return 0x8080e0 | c >> 12 | (c & 0xfc0) << 2 | (c & 0x3f) << 16;
  }

  private static int fourBytes(int point) {
    return 0x808080f0
        | point >> 18
        | (point & 0x3f000) >> 4
        | (point & 0xfc0) << 10
        | (point & 0x3f) << 24;
  }

  /// Writes a text that is not a string, with a check of each write: the text may change while it
  /// is read, or release the buffer.
  private static void writeSequence(ByteBuf buffer, CharSequence text, boolean utf8) {
    int start = buffer.writerIndex();
    int length = text.length();
    buffer.ensureWritable(length);
    boolean complete = false;
    try {
      for (int i = 0; i < length; i++) {
        char c = text.charAt(i);
        if (!utf8) {
          buffer.writeByte(c < ASCII_END ? c : '?');
          continue;
        }
        char next = isHighSurrogate(c) && i + 1 < length ? text.charAt(i + 1) : 0;
        if (isLowSurrogate(next)) {
          buffer.writeInt(fourBytes(Character.toCodePoint(c, next)), LITTLE_ENDIAN);
          i++;
        } else {
          writeSingle(buffer, c);
        }
      }
      complete = true;
    } finally {
      if (!complete && buffer.isLive()) {
        buffer.writerIndex(start);
      }
    }
  }

  /// Writes a character that is not half of a pair.
  private static void writeSingle(ByteBuf buffer, char c) {
    if (c < ASCII_END) {
      buffer.writeByte(c);
    } else if (c < TWO_BYTES_END) {
      buffer.writeShort(twoBytes(c), LITTLE_ENDIAN);
    } else if (isSurrogate(c)) {
      buffer.writeByte('?');
    } else {
      buffer.writeMedium(threeBytes(c), LITTLE_ENDIAN);
    }
  }
}
