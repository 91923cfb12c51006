package dev.quickwater.buffer;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An immutable list of buffers that is read and written as one.
///
/// - It **owns its parts** and releases them with itself. What counts are their readable bytes at
///   the time they were joined: their indices must not be moved, nor their bytes be discarded.
/// - It is no [ByteBuf], so that no accessor of a plain buffer has to ask whether it is made of
///   several.
/// - Reading in order is as fast as from one buffer, but for the borders. Reading at an index looks
///   the part up, unless it is that of the access before.
/// - Multi-byte values are in network byte order. It may have up to 2^31 - 1 bytes.
/// - Not synchronised. After release everything throws [IllegalStateException].
public final class CompositeByteBuf implements Payload {

  private final List<ByteBuf> parts;
  private final ByteBuf[] array;

  /// Where each part begins, and behind the last the size.
  private final int[] starts;

  private final int size;
  private int reader;
  private boolean released;

  /// The part of the last access, its number, and where it is: `[partStart, partEnd)`, which is
  /// nowhere after release.
  private @Nullable ByteBuf part;

  private int current = -1;
  private int partStart;
  private int partEnd;

  /// What to add to an index of this object for one of the current part.
  private int shift;

  private CompositeByteBuf(List<ByteBuf> parts) {
    long sum = 0;
    for (ByteBuf part : parts) {
      part.requireLive();
      sum += part.readableBytes();
    }
    if (sum > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the parts have " + sum + " bytes, the limit is " + Integer.MAX_VALUE);
    }
    this.parts = parts;
    this.array = parts.toArray(ByteBuf[]::new);
    this.size = (int) sum;
    this.starts = new int[array.length + 1];
    for (int i = 0; i < array.length; i++) {
      starts[i + 1] = starts[i] + array[i].readableBytes();
    }
  }

  /// Joins the readable bytes of `parts`, which it takes over.
  ///
  /// @throws IllegalStateException if one of them was released; none is taken over then
  /// @throws IllegalArgumentException if they have over 2^31 - 1 bytes; none is taken over then
  public static CompositeByteBuf of(ByteBuf... parts) {
    return new CompositeByteBuf(List.of(parts));
  }

  // ---- what it is made of ----

  /// The parts, in order; they stay this object's own.
  public List<ByteBuf> parts() {
    requireLive();
    return parts;
  }

  /// All bytes, read or not: what writing this object sends.
  @Override
  public long size() {
    return size;
  }

  /// The index of the next byte to read.
  public int readerIndex() {
    return reader;
  }

  /// Sets the reader index, between 0 and the size.
  public CompositeByteBuf readerIndex(int index) {
    requireLive();
    if (index < 0 || index > size) {
      throw new IndexOutOfBoundsException(
          "readerIndex " + index + " is not between 0 and the size " + size);
    }
    reader = index;
    return this;
  }

  /// Bytes behind the reader index.
  public int readableBytes() {
    return size - reader;
  }

  // ---- reading at an index ----

  /// The byte at an index.
  public byte getByte(int index) {
    return locate(index).getByte(index + shift);
  }

  /// Two bytes as a signed number.
  public short getShort(int index) {
    ByteBuf whole = partWith(index, 2);
    return whole == null ? (short) gather(index, 2) : whole.getShort(index + shift);
  }

  /// Four bytes as a signed number.
  public int getInt(int index) {
    ByteBuf whole = partWith(index, 4);
    return whole == null ? (int) gather(index, 4) : whole.getInt(index + shift);
  }

  /// Eight bytes as a signed number.
  public long getLong(int index) {
    ByteBuf whole = partWith(index, 8);
    return whole == null ? gather(index, 8) : whole.getLong(index + shift);
  }

  /// Copies bytes at an index into an array.
  public CompositeByteBuf getBytes(int index, byte[] target, int offset, int length) {
    check(index, length);
    Objects.checkFromIndexSize(offset, length, target.length);
    for (int done = 0; done < length; ) {
      ByteBuf in = locate(index + done);
      int some = Math.min(length - done, partEnd - index - done);
      in.getBytes(index + done + shift, target, offset + done, some);
      done += some;
    }
    return this;
  }

  // ---- reading in order ----

  /// Reads a byte.
  public byte readByte() {
    int index = reader;
    if (index < partStart || index >= partEnd) {
      readable(1);
    }
    byte value = locate(index).getByte(index + shift);
    reader = index + 1;
    return value;
  }

  /// Reads two bytes as a signed number.
  public short readShort() {
    int index = reader;
    if (index < partStart || index > partEnd - 2) {
      readable(2);
    }
    short value = getShort(index);
    reader = index + 2;
    return value;
  }

  /// Reads four bytes as a signed number.
  public int readInt() {
    int index = reader;
    if (index < partStart || index > partEnd - 4) {
      readable(4);
    }
    int value = getInt(index);
    reader = index + 4;
    return value;
  }

  /// Reads eight bytes.
  public long readLong() {
    int index = reader;
    if (index < partStart || index > partEnd - 8) {
      readable(8);
    }
    long value = getLong(index);
    reader = index + 8;
    return value;
  }

  /// Reads `length` bytes into a new array.
  public byte[] readBytes(int length) {
    int index = readable(length);
    byte[] bytes = new byte[length];
    getBytes(index, bytes, 0, length);
    reader = index + length;
    return bytes;
  }

  /// Reads `length` bytes as text; malformed input is replaced. A character may be in two parts.
  public String readString(int length, Charset charset) {
    int index = readable(length);
    if (length > 0) {
      ByteBuf in = locate(index);
      if (length <= partEnd - index) {
        reader = index + length;
        return in.text(index + shift, length, charset);
      }
    }
    return new String(readBytes(length), charset);
  }

  // ---- search ----

  /// The first index in `[from, to)` that has `value`, or -1.
  public int indexOf(int from, int to, byte value) {
    check(from, to - from);
    for (int index = from; index < to; index = partEnd) {
      ByteBuf in = locate(index);
      int found = in.indexOf(index + shift, Math.min(to, partEnd) + shift, value);
      if (found >= 0) {
        return found - shift;
      }
    }
    return -1;
  }

  /// [ByteSearch#find(ByteBuf,int,int)] over all parts: a match may lie in several.
  int find(ByteSearch search, int from, int to) {
    check(from, to - from);
    for (int index = from; index < to; index = partEnd) {
      ByteBuf in = locate(index);
      int end = search.find(in, index + shift, Math.min(to, partEnd) + shift);
      if (end >= 0) {
        return end - shift;
      }
    }
    return -1;
  }

  // ---- further handles ----

  /// A new handle on the same memory, from its start.
  public CompositeByteBuf share() {
    return slice(0, size);
  }

  /// A new handle on `length` bytes at an index, made of slices of the parts that have them.
  public CompositeByteBuf slice(int index, int length) {
    check(index, length);
    if (length == 0) {
      return of();
    }
    int first = partOf(index);
    int last = partOf(index + length - 1);
    ByteBuf[] slices = new ByteBuf[last - first + 1];
    for (int i = first; i <= last; i++) {
      array[i].requireLive();
    }
    for (int i = first; i <= last; i++) {
      int from = Math.max(index, starts[i]);
      int to = Math.min(index + length, starts[i + 1]);
      slices[i - first] = array[i].slice(array[i].readerIndex() + from - starts[i], to - from);
    }
    return of(slices);
  }

  /// A new buffer of the collector's own with a copy of all bytes.
  public ByteBuf copy() {
    byte[] bytes = new byte[size];
    getBytes(0, bytes, 0, size);
    return ByteBuf.wrap(bytes);
  }

  // ---- lifetime ----

  /// Releases every part, also when one fails to: a part that somebody else has released does not
  /// keep the others.
  @Override
  public void release() {
    if (released) {
      throw new IllegalStateException("the composite buffer was released already");
    }
    released = true;
    part = null;
    partEnd = -1;
    @Nullable IllegalStateException failure = null;
    for (ByteBuf each : array) {
      try {
        each.release();
      } catch (IllegalStateException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /// True until [#release].
  public boolean isLive() {
    return !released;
  }

  // ---- where things are ----

  private void requireLive() {
    if (released) {
      throw new IllegalStateException("the composite buffer was released");
    }
  }

  private void check(int index, int length) {
    requireLive();
    if (index < 0 || length < 0 || index > size - length) {
      throw new IndexOutOfBoundsException(
          "index " + index + " with length " + length + " is outside the size " + size);
    }
  }

  private int readable(int length) {
    if (length < 0 || length > size - reader || released) {
      requireLive();
      throw new IndexOutOfBoundsException(
          "cannot read " + length + " bytes, " + (size - reader) + " are readable");
    }
    return reader;
  }

  /// Makes the part that has an index the current one. A part that somebody else released says so
  /// when it is read.
  private ByteBuf locate(int index) {
    ByteBuf here = part;
    return here != null && index >= partStart && index < partEnd ? here : seek(index);
  }

  /// The part that has all of the `length` bytes at an index, or null where they go across a
  /// border.
  private @Nullable ByteBuf partWith(int index, int length) {
    ByteBuf here = part;
    if (here != null && index >= partStart && index <= partEnd - length) {
      return here;
    }
    check(index, length);
    here = locate(index);
    return index <= partEnd - length ? here : null;
  }

  private ByteBuf seek(int index) {
    check(index, 1);
    // In order, the next part is the one; parts without bytes are rare.
    int next = current + 1;
    boolean isNext = next < array.length && index >= starts[next] && index < starts[next + 1];
    return enter(isNext ? next : partOf(index));
  }

  private ByteBuf enter(int number) {
    ByteBuf entered = array[number];
    part = entered;
    current = number;
    partStart = starts[number];
    partEnd = starts[number + 1];
    shift = entered.readerIndex() - partStart;
    return entered;
  }

  /// The part that has an index below the size: the last that begins there or before, so that parts
  /// without bytes are passed over.
  private int partOf(int index) {
    int low = 0;
    int high = array.length - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (starts[middle] <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// A value across a border.
  private long gather(int index, int length) {
    long value = 0;
    for (int i = index; i < index + length; i++) {
      value = value << 8 | locate(i).getByte(i + shift) & 0xff;
    }
    return value;
  }

  @Override
  public String toString() {
    return released
        ? "CompositeByteBuf[released]"
        : "CompositeByteBuf[" + array.length + " parts, reader " + reader + ", size " + size + "]";
  }
}
