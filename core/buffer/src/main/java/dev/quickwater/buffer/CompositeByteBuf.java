package dev.quickwater.buffer;

import dev.quickwater.buffer.memory.Raw;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An immutable list of buffers that is read and written as one.
///
/// - It **owns its parts** and releases them when it is released. Its content is the readable bytes
///   of the parts at the time they were joined: the indices of a part must not be moved, and its
///   bytes must not be discarded.
/// - It is not a [ByteBuf], so accessors of a plain buffer need no check for several parts.
/// - Reading in order is as fast as from one buffer, except at the borders of parts. Reading at an
///   index searches for the part, unless it is the part of the previous access.
/// - Multi-byte values are in network byte order. The capacity is at most 2^31 - 1 bytes.
/// - Not synchronised. After release, all methods except the reader index throw
///   [IllegalStateException].
public final class CompositeByteBuf implements Payload {

  private static final ByteBuf NONE = ByteBuf.wrap();

  private final List<ByteBuf> parts;

  /// The parts that have bytes.
  private final ByteBuf[] array;

  /// The index at which each part begins, followed by the capacity.
  private final int[] starts;

  /// For each part, the difference between an index of the part and the index of this object.
  private final int[] shifts;

  /// The number of parts per byte, times 2^32. Multiplied by an index, it gives the part if all
  /// parts have one length.
  private final long density;

  private final int capacity;
  private int reader;
  private boolean released;

  /// The part that is read in order. Access at an index uses [#part] instead, so looking far ahead
  /// does not disturb reading.
  ///
  /// The reader index is in this part or at its end, [#inEnd]. Before the first read and after
  /// release, the part is [#NONE] and the end is 0. A read in order therefore needs one comparison
  /// with the end, in addition to the checks of the part.
  private ByteBuf in = NONE;

  private int inNumber = -1;
  private int inEnd;

  /// The entry of [#shifts] for the current part. It is a `long` because it is added to an address.
  private long inShift;

  /// The capacity that the current part must have to contain its bytes. Another holder may have
  /// released or split the part.
  private int inCapacity;

  /// The part of the last access at an index, and its range `[partStart, partEnd)`. The range is
  /// empty before the first access and after release.
  private ByteBuf part = NONE;

  private int partStart;
  private int partEnd;
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
    this.array = parts.stream().filter(ByteBuf::isReadable).toArray(ByteBuf[]::new);
    this.capacity = (int) sum;
    this.starts = new int[array.length + 1];
    this.shifts = new int[array.length];
    for (int i = 0; i < array.length; i++) {
      starts[i + 1] = starts[i] + array[i].readableBytes();
      shifts[i] = array[i].readerIndex() - starts[i];
    }
    this.density = capacity == 0 ? 0 : ((long) array.length << 32) / capacity;
  }

  /// Joins the readable bytes of `parts` and takes ownership of them.
  ///
  /// @throws IllegalStateException if a part was released; the caller keeps ownership of all parts
  /// @throws IllegalArgumentException if the parts have over 2^31 - 1 bytes; the caller keeps
  ///   ownership of all parts
  public static CompositeByteBuf of(ByteBuf... parts) {
    return new CompositeByteBuf(List.of(parts));
  }

  // ---- parts and indices ----

  /// The parts, in order. This object keeps ownership of them.
  public List<ByteBuf> parts() {
    requireLive();
    return parts;
  }

  /// The number of unread bytes. Writing this object sends these bytes.
  ///
  /// @throws IllegalStateException after release
  @Override
  public long size() {
    return readableBytes();
  }

  /// The number of all bytes, read or not. Every index is below it.
  ///
  /// @throws IllegalStateException after release
  public int capacity() {
    requireLive();
    return capacity;
  }

  /// The index of the next byte to read.
  public int readerIndex() {
    return reader;
  }

  /// Sets the reader index, between 0 and the capacity.
  public CompositeByteBuf readerIndex(int index) {
    requireLive();
    if (index < 0 || index > capacity) {
      throw new IndexOutOfBoundsException(
          "readerIndex " + index + " is not between 0 and the capacity " + capacity);
    }
    moveTo(index);
    return this;
  }

  /// Bytes behind the reader index.
  ///
  /// @throws IllegalStateException after release
  public int readableBytes() {
    requireLive();
    return capacity - reader;
  }

  // ---- reading at an index ----

  /// The byte at an index.
  public byte getByte(int index) {
    return locate(index).getByte(index + shift);
  }

  /// Two bytes as a signed number.
  public short getShort(int index) {
    return isWithin(index, 2) ? part.getShort(index + shift) : (short) gather(index, 2);
  }

  /// Four bytes as a signed number.
  public int getInt(int index) {
    return isWithin(index, 4) ? part.getInt(index + shift) : (int) gather(index, 4);
  }

  /// Eight bytes as a signed number.
  public long getLong(int index) {
    return isWithin(index, 8) ? part.getLong(index + shift) : gather(index, 8);
  }

  /// Copies bytes at an index into an array.
  public CompositeByteBuf copyToArray(int index, byte[] target, int offset, int length) {
    check(index, length);
    Objects.checkFromIndexSize(offset, length, target.length);
    for (int done = 0; done < length; ) {
      ByteBuf here = locate(index + done);
      int some = Math.min(length - done, partEnd - index - done);
      here.copyToArray(index + done + shift, target, offset + done, some);
      done += some;
    }
    return this;
  }

  // ---- reading in order ----

  /// Reads a byte.
  public byte readByte() {
    int index = reader;
    if (index >= inEnd) {
      // Not a separate method: even a rare call would make a loop load and store every field in
      // each iteration.
      int next = inNumber + 1;
      if (next >= array.length) {
        throw underrun(1);
      }
      in = array[next];
      inNumber = next;
      inEnd = starts[next + 1];
      inShift = shifts[next];
      inCapacity = inEnd + shifts[next];
    }
    ByteBuf from = live();
    reader = index + 1;
    return Raw.getByte(from.array, from.address + inShift + index, 0);
  }

  /// Reads two bytes as a signed number.
  public short readShort() {
    int index = reader;
    if (index > inEnd - 2) {
      return (short) readBorder(2);
    }
    ByteBuf from = live();
    reader = index + 2;
    return Raw.getShort(from.array, from.address + inShift + index, 0);
  }

  /// Reads four bytes as a signed number.
  public int readInt() {
    int index = reader;
    if (index > inEnd - 4) {
      return (int) readBorder(4);
    }
    ByteBuf from = live();
    reader = index + 4;
    return Raw.getInt(from.array, from.address + inShift + index, 0);
  }

  /// Reads eight bytes.
  public long readLong() {
    int index = reader;
    if (index > inEnd - 8) {
      return readBorder(8);
    }
    ByteBuf from = live();
    reader = index + 8;
    return Raw.getLong(from.array, from.address + inShift + index, 0);
  }

  /// Reads `length` bytes into a new array.
  public byte[] readBytes(int length) {
    int index = readable(length);
    byte[] bytes = new byte[length];
    copyToArray(index, bytes, 0, length);
    moveTo(index + length);
    return bytes;
  }

  /// Reads `length` bytes as text; malformed input is replaced. A character may be in two parts.
  public String readString(int length, Charset charset) {
    int index = readable(length);
    if (length > 0) {
      ByteBuf here = locate(index);
      if (length <= partEnd - index) {
        String text = Utf8Decoder.text(here, index + shift, length, charset);
        moveTo(index + length);
        return text;
      }
    }
    return new String(readBytes(length), charset);
  }

  // ---- search ----

  /// The first index in `[from, to)` that has `value`, or -1.
  public int indexOf(int from, int to, byte value) {
    check(from, to - from);
    for (int index = from; index < to; index = partEnd) {
      ByteBuf here = locate(index);
      int found = here.indexOf(index + shift, Math.min(to, partEnd) + shift, value);
      if (found >= 0) {
        return found - shift;
      }
    }
    return -1;
  }

  /// Passes the parts in `[from, to)` to `finder`, in order, until it returns a result.
  ///
  /// @return the result as an index of this object, or -1 if no part has one
  public int find(ByteFinder finder, int from, int to) {
    check(from, to - from);
    for (int index = from; index < to; index = partEnd) {
      ByteBuf here = locate(index);
      int end = finder.find(here, index + shift, Math.min(to, partEnd) + shift);
      if (end >= 0) {
        return end - shift;
      }
    }
    return -1;
  }

  // ---- further handles ----

  /// A new handle on the same memory with the same reader index.
  public CompositeByteBuf share() {
    CompositeByteBuf handle = slice(0, capacity);
    handle.moveTo(reader);
    return handle;
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
    int made = 0;
    boolean complete = false;
    try {
      for (int i = first; i <= last; i++) {
        int from = Math.max(index, starts[i]);
        int to = Math.min(index + length, starts[i + 1]);
        slices[made] = array[i].slice(from + shifts[i], to - from);
        made++;
      }
      CompositeByteBuf handle = of(slices);
      complete = true;
      return handle;
    } finally {
      for (int i = 0; i < made && !complete; i++) {
        slices[i].release();
      }
    }
  }

  /// A new buffer with a copy of all bytes, read or not, in memory of the garbage collector.
  public ByteBuf copy() {
    byte[] bytes = new byte[capacity];
    copyToArray(0, bytes, 0, capacity);
    return ByteBuf.wrap(bytes);
  }

  // ---- lifetime ----

  /// Releases every part. A part that another holder has released makes this method throw, but only
  /// after the other parts were released.
  @Override
  public void release() {
    if (released) {
      throw new IllegalStateException("the composite buffer was released already");
    }
    released = true;
    in = NONE;
    inNumber = array.length;
    inEnd = 0;
    part = NONE;
    partEnd = 0;
    @Nullable RuntimeException failure = null;
    for (ByteBuf each : parts) {
      try {
        each.release();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
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

  // ---- checks and location ----

  private void requireLive() {
    if (released) {
      throw new IllegalStateException("the composite buffer was released");
    }
  }

  private void check(int index, int length) {
    requireLive();
    if (index < 0 || length < 0 || index > capacity - length) {
      throw new IndexOutOfBoundsException(
          "index " + index + " with length " + length + " is outside the capacity " + capacity);
    }
  }

  private int readable(int length) {
    if (length < 0 || length > capacity - reader || released) {
      throw underrun(length);
    }
    return reader;
  }

  private IndexOutOfBoundsException underrun(int length) {
    requireLive();
    return new IndexOutOfBoundsException(
        "cannot read " + length + " bytes, " + (capacity - reader) + " are readable");
  }

  /// The current part, for an access without a further check. The caller has just compared the
  /// index with the end of the part.
  ///
  /// The address is read from the part each time, because the part may have grown. The index is
  /// added before [Raw] masks the sum, which saves a comparison.
  private ByteBuf live() {
    ByteBuf here = in;
    if (here.limit < inCapacity) {
      throw changed(here);
    }
    return here;
  }

  private static IllegalStateException changed(ByteBuf part) {
    part.requireLive();
    return new IllegalStateException(
        "another holder split a part of the composite buffer, which has "
            + part.capacity()
            + " bytes left");
  }

  /// Sets the reader index and the current part.
  private void moveTo(int index) {
    reader = index;
    if (index < capacity) {
      enter(partOf(index));
    } else {
      inNumber = array.length;
      inEnd = 0;
    }
  }

  private void enter(int number) {
    in = array[number];
    inNumber = number;
    inEnd = starts[number + 1];
    inShift = shifts[number];
    inCapacity = inEnd + shifts[number];
  }

  /// Reads a value that crosses the end of the current part. If both parts are long enough, it
  /// combines the last eight bytes of one with the first eight of the next. Otherwise it reads byte
  /// by byte.
  private long readBorder(int width) {
    int index = readable(width);
    int before = Math.max(inEnd - index, 0);
    int behind = width - before;
    int next = inNumber + 1;
    if (starts[next + 1] - starts[next] < Long.BYTES) {
      long value = gather(index, width);
      moveTo(index + width);
      return value;
    }
    long head = 0;
    if (before > 0) {
      head = index + before - starts[inNumber] < Long.BYTES ? gather(index, before) : lastWord();
    }
    long tail = array[next].getLong(starts[next] + shifts[next]);
    // The part and the index move only after both reads have succeeded: later reads do not check an
    // index that is outside the part.
    enter(next);
    reader = index + width;
    // Two shifts, because a shift by 64 has no effect.
    return (head << 8 * (behind - 1) << 8) | tail >>> 8 * (Long.BYTES - behind);
  }

  private long lastWord() {
    return in.getLong(inEnd - Long.BYTES + (int) inShift);
  }

  /// The part that contains an index. It becomes the part of the last access. A part that another
  /// holder has released throws when it is read.
  private ByteBuf locate(int index) {
    if (index < partStart || index >= partEnd) {
      seek(index);
    }
    return part;
  }

  /// True if one part has all `width` bytes at an index. The part that contains the index becomes
  /// the part of the last access.
  private boolean isWithin(int index, int width) {
    if (index >= partStart && index <= partEnd - width) {
      return true;
    }
    check(index, width);
    if (index < partStart || index >= partEnd) {
      seek(index);
    }
    return index <= partEnd - width;
  }

  /// Makes the part that contains an index the part of the last access.
  private void seek(int index) {
    check(index, 1);
    int number = partOf(index);
    part = array[number];
    partStart = starts[number];
    partEnd = starts[number + 1];
    shift = shifts[number];
  }

  /// The number of the part that contains an index below the capacity. If all parts have equal
  /// lengths, the first guess is right.
  private int partOf(int index) {
    int guess = (int) (index * density >>> 32);
    if (starts[guess] <= index && index < starts[guess + 1]) {
      return guess;
    }
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

  /// A value of up to eight bytes that may be in several parts.
  private long gather(int index, int width) {
    long value = 0;
    for (int i = index; i < index + width; i++) {
      value = value << 8 | locate(i).getByte(i + shift) & 0xff;
    }
    return value;
  }

  @Override
  public String toString() {
    return released
        ? "CompositeByteBuf[released]"
        : "CompositeByteBuf["
            + parts.size()
            + " parts, reader "
            + reader
            + ", capacity "
            + capacity
            + "]";
  }
}
