package dev.quickwater.buffer;

import static java.lang.Character.isHighSurrogate;
import static java.lang.Character.isLowSurrogate;
import static java.lang.Character.isSurrogate;

import org.jspecify.annotations.Nullable;

/// UTF-8 and ASCII written straight to the memory of a buffer, without anything in between.
///
/// A surrogate without its partner becomes `?`, as with [String#getBytes()].
public final class Utf8 {

  private static final char ASCII_END = 0x80;
  private static final char TWO_BYTES_END = 0x800;

  /// What one character takes at most; a pair of surrogates takes four.
  private static final int MOST_BYTES = 3;

  /// Characters that go into one word.
  private static final int BATCH = Long.BYTES;

  private Utf8() {}

  /// How many bytes the UTF-8 form of a text has. Nothing is allocated.
  ///
  /// @throws ArithmeticException if it is more than an `int` holds
  public static int size(CharSequence text) {
    return size(text, 0, text.length());
  }

  private static int size(CharSequence text, int from, int to) {
    long size = to - from;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < ASCII_END) {
        continue;
      }
      if (c < TWO_BYTES_END) {
        size++;
      } else if (!isSurrogate(c)) {
        size += 2;
      } else if (isHighSurrogate(c) && i + 1 < to && isLowSurrogate(text.charAt(i + 1))) {
        // Two characters, four bytes.
        size += 2;
        i++;
      }
    }
    return Math.toIntExact(size);
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
    byte @Nullable [] array = buffer.memoryArray();
    long address = buffer.memoryAddress();
    int at = buffer.writerIndex();
    int i = 0;
    while ((i += asciiRun(array, address, at + i, string, i, length)) < length) {
      Raw.putByte(array, address, at + i, '?');
      i++;
    }
    buffer.writerIndex(at + length);
  }

  /// Trusts a `String`, which cannot change: room is made once and what is written is not checked
  /// against it again.
  private static void writeString(ByteBuf buffer, String text) {
    int length = text.length();
    buffer.ensureWritable(length);
    int at = buffer.writerIndex();
    int i = asciiRun(buffer.memoryArray(), buffer.memoryAddress(), at, text, 0, length);
    if (i < length) {
      // Measuring is a pass of its own, needed only where the room might not do.
      if (buffer.writableBytes() < i + MOST_BYTES * (long) (length - i)) {
        int size = Math.addExact(i, size(text, i, length));
        if (buffer.writableBytes() < size) {
          // Growth takes along only what is before the writer index.
          buffer.ensureWritable(size);
          i = 0;
        }
      }
      at = encode(buffer.memoryArray(), buffer.memoryAddress(), at + i, text, i);
    } else {
      at += i;
    }
    buffer.writerIndex(at);
  }

  /// Writes a text from a character on, into room that is there.
  ///
  /// @return the index behind the last byte
  private static int encode(
      byte @Nullable [] array, long address, int index, String text, int from) {
    int length = text.length();
    int at = index;
    int i = from;
    while (i < length) {
      char c = text.charAt(i);
      if (c < ASCII_END) {
        int run = asciiRun(array, address, at, text, i, length);
        i += run;
        at += run;
        continue;
      }
      i++;
      if (c < TWO_BYTES_END) {
        Raw.putShort(array, address, at, (0xc0 | c >> 6) << 8 | continuation(c));
        at += 2;
      } else if (!isSurrogate(c)) {
        Raw.putShort(array, address, at, (0xe0 | c >> 12) << 8 | continuation(c >> 6));
        Raw.putByte(array, address, at + 2, continuation(c));
        at += 3;
      } else if (isHighSurrogate(c) && i < length && isLowSurrogate(text.charAt(i))) {
        int point = Character.toCodePoint(c, text.charAt(i++));
        Raw.putInt(array, address, at, fourBytes(point));
        at += 4;
      } else {
        Raw.putByte(array, address, at++, '?');
      }
    }
    return at;
  }

  private static int continuation(int bits) {
    return 0x80 | bits & 0x3f;
  }

  private static int fourBytes(int point) {
    return (0xf0 | point >> 18) << 24
        | continuation(point >> 12) << 16
        | continuation(point >> 6) << 8
        | continuation(point);
  }

  /// Writes characters up to the first that is not ASCII, into room that is there.
  ///
  /// @return how many
  private static int asciiRun(
      byte @Nullable [] array, long address, int index, String text, int from, int to) {
    int i = from;
    int shift = index - from;
    for (; i <= to - BATCH; i += BATCH) {
      char a = text.charAt(i);
      char b = text.charAt(i + 1);
      char c = text.charAt(i + 2);
      char d = text.charAt(i + 3);
      char e = text.charAt(i + 4);
      char f = text.charAt(i + 5);
      char g = text.charAt(i + 6);
      char h = text.charAt(i + 7);
      if ((a | b | c | d | e | f | g | h) >= ASCII_END) {
        break;
      }
      int low = a | b << 8 | c << 16 | d << 24;
      int high = e | f << 8 | g << 16 | h << 24;
      Raw.putWord(array, address, i + shift, low & 0xffff_ffffL | (long) high << 32);
    }
    for (; i < to; i++) {
      char c = text.charAt(i);
      if (c >= ASCII_END) {
        break;
      }
      Raw.putByte(array, address, i + shift, c);
    }
    return i - from;
  }

  /// Trusts nothing: such a text may change while it is read, or release the buffer.
  private static void writeSequence(ByteBuf buffer, CharSequence text, boolean utf8) {
    int start = buffer.writerIndex();
    int length = text.length();
    buffer.ensureWritable(length);
    boolean complete = false;
    try {
      for (int i = 0; i < length; i++) {
        char c = text.charAt(i);
        if (c < ASCII_END) {
          buffer.writeByte(c);
        } else if (!utf8) {
          buffer.writeByte('?');
        } else if (c < TWO_BYTES_END) {
          buffer.writeShort((0xc0 | c >> 6) << 8 | continuation(c));
        } else if (!isSurrogate(c)) {
          buffer.writeMedium((0xe0 | c >> 12) << 16 | continuation(c >> 6) << 8 | continuation(c));
        } else {
          char next = isHighSurrogate(c) && i + 1 < length ? text.charAt(i + 1) : 0;
          if (isLowSurrogate(next)) {
            buffer.writeInt(fourBytes(Character.toCodePoint(c, next)));
            i++;
          } else {
            buffer.writeByte('?');
          }
        }
      }
      complete = true;
    } finally {
      if (!complete && buffer.isLive()) {
        buffer.writerIndex(start);
      }
    }
  }
}
