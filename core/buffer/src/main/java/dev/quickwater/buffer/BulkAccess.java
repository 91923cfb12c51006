package dev.quickwater.buffer;

import dev.quickwater.buffer.memory.ByteScan;
import dev.quickwater.buffer.memory.Raw;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Ranges of bytes of a [ByteBuf]: copies, text and search.
///
/// Each method checks the range first and then reads the array and the address of the buffer. A
/// copy of no bytes is allowed at every index up to the capacity.
sealed interface BulkAccess permits ByteBuf {

  // ---- copies ----

  /// Copies bytes at an index into an array.
  default ByteBuf copyToArray(int index, byte[] target, int offset, int length) {
    ByteBuf buffer = buffer();
    buffer.checkRange(index, length);
    Objects.checkFromIndexSize(offset, length, target.length);
    Raw.copy(buffer.array, buffer.address + index, target, offset, length);
    return buffer;
  }

  /// Reads bytes into an array.
  default ByteBuf readBytes(byte[] target, int offset, int length) {
    ByteBuf buffer = buffer();
    int index = buffer.readable(length);
    copyToArray(index, target, offset, length);
    return buffer.moveReader(index + length);
  }

  /// Reads `length` bytes into a new array.
  default byte[] readBytes(int length) {
    ByteBuf buffer = buffer();
    int index = buffer.readable(length);
    byte[] bytes = new byte[length];
    copyToArray(index, bytes, 0, length);
    buffer.moveReader(index + length);
    return bytes;
  }

  /// Copies bytes from an array to an index.
  default ByteBuf setBytes(int index, byte[] source, int offset, int length) {
    ByteBuf buffer = buffer();
    buffer.checkWrite(index, length);
    Objects.checkFromIndexSize(offset, length, source.length);
    Raw.copy(source, offset, buffer.array, buffer.address + index, length);
    return buffer;
  }

  /// Sets `length` bytes at an index to the low eight bits of `value`.
  default ByteBuf fill(int index, int length, int value) {
    ByteBuf buffer = buffer();
    buffer.checkWrite(index, length);
    Raw.fill(buffer.array, buffer.address + index, length, (byte) value);
    return buffer;
  }

  /// Writes all bytes of an array.
  default ByteBuf writeBytes(byte[] source) {
    return writeBytes(source, 0, source.length);
  }

  /// Writes bytes of an array.
  default ByteBuf writeBytes(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    ByteBuf buffer = buffer();
    int index = buffer.writable(length);
    Raw.copy(source, offset, buffer.array, buffer.address + index, length);
    return buffer.moveWriter(index + length);
  }

  /// Writes the readable bytes of another buffer and moves its reader index. The caller keeps
  /// ownership of the other buffer.
  default ByteBuf writeBytes(ByteBuf source) {
    return writeBytes(source, source.readableBytes());
  }

  /// Writes `length` readable bytes of another buffer and moves its reader index.
  default ByteBuf writeBytes(ByteBuf source, int length) {
    int from = source.readable(length);
    writeBytes(source, from, length);
    source.moveReader(from + length);
    return buffer();
  }

  /// Writes `length` bytes of `source` that begin at `index` of `source`, which may be this buffer.
  /// The indices of `source` stay.
  default ByteBuf writeBytes(ByteBuf source, int index, int length) {
    source.checkRange(index, length);
    ByteBuf buffer = buffer();
    int to = buffer.writable(length);
    Raw.copy(source.array, source.address + index, buffer.array, buffer.address + to, length);
    return buffer.moveWriter(to + length);
  }

  // ---- text ----

  /// Writes text as ASCII; other characters become `?`.
  ///
  /// @throws IndexOutOfBoundsException if it needs more than [ByteBuf#maxCapacity] allows; nothing
  ///   is written then
  default ByteBuf writeAscii(CharSequence text) {
    Utf8.writeAscii(buffer(), text);
    return buffer();
  }

  /// Writes text as UTF-8 without creating objects. Lone surrogates become `?`. [Utf8#size] returns
  /// the size in advance.
  ///
  /// @throws IndexOutOfBoundsException if it needs more than [ByteBuf#maxCapacity] allows; nothing
  ///   is written then
  default ByteBuf writeUtf8(CharSequence text) {
    Utf8.write(buffer(), text);
    return buffer();
  }

  /// Reads `length` bytes as text; malformed input is replaced.
  default String readString(int length, Charset charset) {
    ByteBuf buffer = buffer();
    int index = buffer.readable(length);
    String text = Utf8Decoder.text(buffer, index, length, charset);
    buffer.moveReader(index + length);
    return text;
  }

  /// Reads `length` bytes of UTF-8 as text; malformed input is replaced.
  default String readUtf8(int length) {
    return readString(length, StandardCharsets.UTF_8);
  }

  /// The readable bytes as text; malformed input is replaced.
  default String toString(Charset charset) {
    ByteBuf buffer = buffer();
    return Utf8Decoder.text(buffer, buffer.readerIndex(), buffer.readableBytes(), charset);
  }

  // ---- search ----

  /// The first index in `[from, to)` that has `value`, or -1.
  default int indexOf(int from, int to, byte value) {
    ByteBuf buffer = buffer();
    buffer.checkRange(from, to - from);
    return ByteScan.indexOf(buffer.array, buffer.address, buffer.limit, from, to, value);
  }

  /// Readable bytes before the first that equals `value`, or -1.
  default int bytesBefore(byte value) {
    int reader = buffer().readerIndex();
    int index = indexOf(reader, buffer().writerIndex(), value);
    return index < 0 ? -1 : index - reader;
  }

  /// Passes the bytes in `[from, to)` to a processor until it stops.
  ///
  /// @return the index at which it stopped, or -1
  default int forEachByte(int from, int to, ByteProcessor processor) {
    buffer().checkRange(from, to - from);
    return forEach(buffer(), from, to, processor);
  }

  /// Passes each byte in `[from, to)`, a range that was checked, to a processor until the processor
  /// stops. The processor is foreign code and may release the buffer, so each word is read with a
  /// check.
  ///
  /// @return the index at which the processor stopped, or -1
  private static int forEach(ByteBuf buffer, int from, int to, ByteProcessor processor) {
    int index = from;
    for (; index <= to - Long.BYTES; index += Long.BYTES) {
      buffer.checkRange(index, Long.BYTES);
      long word = Raw.getWord(buffer.array, buffer.address, index);
      for (int i = 0; i < Long.BYTES; i++, word >>>= 8) {
        if (!processor.process((byte) word)) {
          return index + i;
        }
      }
    }
    for (; index < to; index++) {
      if (!processor.process(buffer.getByte(index))) {
        return index;
      }
    }
    return -1;
  }

  /// Compares the readable bytes with those of another buffer. The indices of both buffers stay.
  ///
  /// @return the number of equal bytes before the first difference or before the end of the shorter
  ///   buffer; -1 if the readable bytes are equal
  default int mismatch(ByteBuf other) {
    ByteBuf buffer = buffer();
    int length = buffer.writerIndex() - buffer.readerIndex();
    int index = buffer.readable(length);
    int otherLength = other.writerIndex() - other.readerIndex();
    int from = other.readable(otherLength);
    return Raw.mismatch(
        buffer.array,
        buffer.address + index,
        length,
        other.array,
        other.address + from,
        otherLength);
  }

  private ByteBuf buffer() {
    return (ByteBuf) this;
  }
}
