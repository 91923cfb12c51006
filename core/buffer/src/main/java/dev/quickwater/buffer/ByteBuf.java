package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Page;
import dev.quickwater.buffer.allocation.SizeClasses;
import dev.quickwater.buffer.memory.Raw;
import dev.quickwater.common.LeakTracker;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A contiguous region of bytes with a reader and a writer index.
///
/// ```
/// 0  <=  readerIndex  <=  writerIndex  <=  capacity  <=  maxCapacity
/// ```
///
/// - **One class.** Native or array memory, pooled or not, whole or slice: all are this class, so
///   that a call site never becomes megamorphic.
/// - **A handle has one holder** and is released once. [#share], [#slice], [#readSlice] and
///   [#split] give *new* handles on the same memory, each with separate indices and a separate
///   release. Memory returns to its allocator when the last handle is released.
/// - **No holder sees bytes change.** Bytes that two handles can see are read-only for both: a
///   write to them throws [IllegalStateException] while another handle on the memory is live, and
///   succeeds after the other handles were released. Bytes that no other handle has seen stay
///   writable, so a receive buffer fills up behind the messages that were sliced from it. Handles
///   on memory of the garbage collector ([#wrap(byte...)], [#copy]) are not counted: bytes that
///   another handle has seen stay read-only there.
/// - **Use after release throws** [IllegalStateException], on the releasing thread and on every
///   thread that the release happens-before. A racing thread may read wrong bytes; it cannot fault.
/// - **Growth:** a write past the capacity moves the bytes before the writer index to a larger
///   block, up to [#maxCapacity]. Other handles keep the old memory. Only a handle from an
///   allocator grows. Shares, slices, split handles and wrapped arrays have a fixed capacity.
/// - **Not synchronised:** one thread at a time, hand-over with a happens-before edge.
/// - Multi-byte values are in network byte order, unless a method takes a [java.nio.ByteOrder]. For
///   floating-point values, read `Float.intBitsToFloat(readInt())` or
///   `Double.longBitsToDouble(readLong())`, and write `writeInt(Float.floatToRawIntBits(value))` or
///   `writeLong(Double.doubleToRawLongBits(value))`.
/// - Indices and lengths are in bytes. An index outside the buffer throws
///   [IndexOutOfBoundsException] with all numbers in it.
public final class ByteBuf implements Payload, ValueAccess, BulkAccess {
  static final int RELEASED = -1;

  /// The page that contains [#address]; it counts the holders of the block and frees the block.
  /// Null when the garbage collector owns the memory.
  @Nullable Page page;

  /// Null for native memory.
  byte @Nullable [] array;

  /// The native address, or the offset in the array. Growth writes the address before [#limit], so
  /// no thread reads a new limit and then an old address.
  long address;

  /// The capacity while the handle is live, -1 once it is released: the bounds check that each
  /// access makes anyway catches use after release.
  int limit;

  /// Equals [#limit] while the writer index is at least [#frozen]; otherwise, and after release,
  /// -1. The single bounds check of a sequential write thus also rejects bytes that another handle
  /// sees.
  int writeEnd;

  /// Other handles may see bytes before this index. No other handle sees bytes from this index on.
  int frozen;

  int reader;
  int writer;

  /// The capacity to which writes let this handle grow; 0 if its capacity is fixed.
  final int growthLimit;

  final LeakTracker.@Nullable Leak leak;

  /// A handle without memory, which counts as released until [#open].
  ByteBuf(int maxCapacity, @Nullable String tracked) {
    this.limit = RELEASED;
    this.writeEnd = RELEASED;
    this.growthLimit = Math.min(maxCapacity, SizeClasses.LARGEST);
    this.leak = tracked == null ? null : LeakTracker.track(this, tracked);
  }

  /// Opens the handle on the block of a page that begins at `at`. The handle becomes a holder of
  /// the block.
  void open(Page memory, long at, int capacity) {
    page = memory;
    array = memory.array;
    address = at;
    limit = capacity;
    writeEnd = capacity;
  }

  private ByteBuf(byte[] array, int offset, int length) {
    this.array = array;
    this.address = offset;
    this.limit = length;
    this.writeEnd = length;
    this.writer = length;
    this.growthLimit = 0;
    this.leak = null;
  }

  /// A further handle on `length` bytes of another one, all readable. The caller counts the handle.
  ByteBuf(ByteBuf other, int index, int length, int frozen) {
    this.page = other.page;
    this.array = other.array;
    // An empty handle at the end of a block would have the address of the next one.
    this.address = length == 0 ? other.address : other.address + index;
    this.limit = length;
    this.writeEnd = length;
    this.frozen = frozen;
    this.writer = length;
    this.growthLimit = 0;
    this.leak =
        other.page != null && LeakTracker.samples()
            ? LeakTracker.track(this, "a view of a buffer")
            : null;
  }

  // ---- buffers in memory of the garbage collector ----

  /// A buffer over the bytes of an array, all readable. Without arguments, a new empty buffer. The
  /// array is not copied: the buffer and the array show each other's changes. The buffer cannot
  /// grow and need not be released.
  public static ByteBuf wrap(byte... array) {
    return wrap(array, 0, array.length);
  }

  /// Like [#wrap(byte...)] for a part of an array.
  public static ByteBuf wrap(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    return new ByteBuf(array, offset, length);
  }

  /// A buffer with the UTF-8 form of a text, all readable, in memory of the garbage collector.
  public static ByteBuf utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static void checkCapacities(int capacity, int maxCapacity) {
    if (capacity < 0 || capacity > maxCapacity || capacity > SizeClasses.LARGEST) {
      int max = Math.min(maxCapacity, SizeClasses.LARGEST);
      throw new IllegalArgumentException(
          "capacity " + capacity + " is not between 0 and the maximum " + max);
    }
  }

  // ---- indices ----

  /// The index of the next byte to read.
  public int readerIndex() {
    return reader;
  }

  /// The index after the last byte written.
  public int writerIndex() {
    return writer;
  }

  /// Bytes between reader and writer index.
  ///
  /// @throws IllegalStateException after release
  public int readableBytes() {
    requireLive();
    return writer - reader;
  }

  /// Bytes between the writer index and the capacity. [#ensureWritable] also checks whether another
  /// handle sees them.
  ///
  /// @throws IllegalStateException after release
  public int writableBytes() {
    requireLive();
    return limit - writer;
  }

  /// Bytes in the region now.
  ///
  /// @throws IllegalStateException after release
  public int capacity() {
    requireLive();
    return limit;
  }

  /// The capacity that writes may grow the buffer to.
  public int maxCapacity() {
    return Math.max(growthLimit, limit);
  }

  /// True when there is a byte to read.
  ///
  /// @throws IllegalStateException after release
  public boolean isReadable() {
    requireLive();
    return writer > reader;
  }

  @Override
  public long size() {
    return readableBytes();
  }

  /// Sets the reader index, between 0 and the writer index.
  public ByteBuf readerIndex(int index) {
    if (index < 0 || index > writer) {
      requireLive();
      throw new IndexOutOfBoundsException(
          "readerIndex " + index + " is not between 0 and writerIndex " + writer);
    }
    requireLive();
    reader = index;
    return this;
  }

  /// Sets the writer index, between the reader index and the capacity.
  public ByteBuf writerIndex(int index) {
    requireLive();
    if (index < reader || index > limit) {
      throw new IndexOutOfBoundsException(
          "writerIndex " + index + " is not between readerIndex " + reader + " and " + limit);
    }
    writer = index;
    updateWriteEnd();
    return this;
  }

  /// Moves the reader index forward over `length` readable bytes.
  public ByteBuf skip(int length) {
    reader = readable(length) + length;
    return this;
  }

  /// Sets both indices to 0; the bytes stay. If another handle sees bytes of this buffer, the next
  /// write throws until that handle is released. [#split] and [#discardRead] make room without
  /// waiting for the release.
  public ByteBuf clear() {
    requireLive();
    reader = 0;
    writer = 0;
    updateWriteEnd();
    return this;
  }

  /// Moves the readable bytes to index 0, which makes the space before them writable again. If
  /// another handle sees bytes of this buffer, the readable bytes are copied to new memory. If
  /// there are no readable bytes, a buffer that can grow continues behind the bytes that other
  /// handles see; its capacity shrinks, as with [#split].
  public ByteBuf discardRead() {
    requireLive();
    if (reader == 0) {
      return this;
    }
    int length = writer - reader;
    if (isOwn()) {
      Raw.copy(array, address + reader, array, address, length);
      reader = 0;
      writer = length;
      updateWriteEnd();
    } else if (length == 0 && growthLimit > 0) {
      Growth.advance(this, Math.max(writer, frozen));
    } else {
      Growth.copyToNewMemory(this, length);
    }
    return this;
  }

  /// Makes room for `length` more bytes after the writer index, growing if necessary.
  ///
  /// @throws IndexOutOfBoundsException if that is more than [#maxCapacity] allows
  /// @throws IllegalStateException if another handle sees the bytes that would be written
  public ByteBuf ensureWritable(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length is " + length + ", expected 0 or more");
    }
    if (writeEnd - writer < length) {
      makeWritable(length);
    }
    return this;
  }

  // ---- single values at the indices ----

  /// Reads a byte.
  @Override
  public byte readByte() {
    int index = reader;
    if (index >= writer) {
      throw underrun(1);
    }
    reader = index + 1;
    return Raw.getByte(array, address, index);
  }

  /// Reads two bytes as a signed number.
  @Override
  public short readShort() {
    int index = next(2);
    reader = index + 2;
    return Raw.getShort(array, address, index);
  }

  /// Reads three bytes as 0 to 16,777,215.
  @Override
  public int readUnsignedMedium() {
    int index = next(3);
    reader = index + 3;
    return (Raw.getShort(array, address, index) & 0xffff) << 8
        | Raw.getByte(array, address, index + 2) & 0xff;
  }

  /// Reads four bytes as a signed number.
  @Override
  public int readInt() {
    int index = next(4);
    reader = index + 4;
    return Raw.getInt(array, address, index);
  }

  /// Reads eight bytes.
  @Override
  public long readLong() {
    int index = next(8);
    reader = index + 8;
    return Raw.getLong(array, address, index);
  }

  /// Writes the low eight bits of `value`.
  public ByteBuf writeByte(int value) {
    int index = writer;
    if (index >= writeEnd) {
      makeWritable(1);
    }
    writer = index + 1;
    Raw.putByte(array, address, index, value);
    return this;
  }

  /// Writes the low sixteen bits of `value`.
  @Override
  public ByteBuf writeShort(int value) {
    int index = writable(2);
    writer = index + 2;
    Raw.putShort(array, address, index, value);
    return this;
  }

  /// Writes the low twenty-four bits of `value`.
  @Override
  public ByteBuf writeMedium(int value) {
    int index = writable(3);
    writer = index + 3;
    Raw.putShort(array, address, index, value >> 8);
    Raw.putByte(array, address, index + 2, value);
    return this;
  }

  /// Writes four bytes.
  @Override
  public ByteBuf writeInt(int value) {
    int index = writable(4);
    writer = index + 4;
    Raw.putInt(array, address, index, value);
    return this;
  }

  /// Writes eight bytes.
  @Override
  public ByteBuf writeLong(long value) {
    int index = writable(8);
    writer = index + 8;
    Raw.putLong(array, address, index, value);
    return this;
  }

  // ---- further handles ----

  /// A new handle on the bytes before the writer index, with the same reader index and a fixed
  /// capacity. These bytes are read-only for both handles while both are live.
  public ByteBuf share() {
    ByteBuf handle = slice(0, writer);
    handle.reader = reader;
    return handle;
  }

  /// A new handle on `length` bytes at an index, all readable, with a fixed capacity. While both
  /// handles are live, these bytes are read-only for both, and the bytes before them are read-only
  /// for this handle.
  public ByteBuf slice(int index, int length) {
    checkRange(index, length);
    ByteBuf handle = Handles.of(this, index, length, length);
    if (length > 0 && frozen < index + length) {
      frozen = index + length;
      updateWriteEnd();
    }
    return handle;
  }

  /// A new handle on the next `length` readable bytes, as [#slice]. The reader index moves past
  /// them.
  public ByteBuf readSlice(int length) {
    int index = readable(length);
    ByteBuf handle = slice(index, length);
    reader = index + length;
    return handle;
  }

  /// Moves the readable bytes to a new handle, which has exactly those bytes and a fixed capacity.
  /// This buffer continues behind them, with indices that begin at 0. Its capacity shrinks by the
  /// bytes before its new index 0. When the rest is used up, growth moves this buffer to new
  /// memory, and the memory of the split bytes is released with the last handle on it.
  /// [#maxCapacity] stays and counts from the new index 0. The two handles have no byte in common
  /// and both may write.
  public ByteBuf split() {
    int index = readable(writer - reader);
    int length = writer - index;
    int seen = Math.clamp(frozen - (long) index, 0, length);
    ByteBuf handle = Handles.of(this, index, length, seen);
    Growth.advance(this, writer);
    return handle;
  }

  /// A new buffer with a copy of the readable bytes, in memory of the garbage collector.
  public ByteBuf copy() {
    int index = readable(writer - reader);
    byte[] bytes = new byte[writer - index];
    copyToArray(index, bytes, 0, bytes.length);
    return wrap(bytes);
  }

  // ---- lifetime ----

  /// Releases this handle. The memory is freed with the last handle on it.
  ///
  /// @throws IllegalStateException if it was released before
  @Override
  public void release() {
    requireLive();
    end();
    if (page != null) {
      page.release(address);
    }
  }

  /// Makes every use of this handle throw, without a change to the count of holders.
  void end() {
    limit = RELEASED;
    writeEnd = RELEASED;
    reader = 0;
    writer = 0;
    untrack();
  }

  /// Ends leak tracking. The handle must stay reachable until the tracker has recorded its release.
  void untrack() {
    if (leak != null) {
      try {
        leak.released();
      } finally {
        Reference.reachabilityFence(this);
      }
    }
  }

  /// True until [#release].
  public boolean isLive() {
    return limit >= 0;
  }

  /// True if another live handle is on the same memory; bytes that both handles see are read-only
  /// then. Always false for memory of the garbage collector, because its handles are not counted.
  ///
  /// @throws IllegalStateException after release
  public boolean isShared() {
    requireLive();
    return page != null && page.holders(page.indexOf(address)) > 1;
  }

  /// True if every byte of this buffer is writable. Bytes that other handles have seen become
  /// writable when the last of those handles is released.
  private boolean isOwn() {
    if (frozen > 0 && page != null && !isShared()) {
      frozen = 0;
    }
    return frozen == 0;
  }

  /// Records the current place and a hint for a leak report. Does nothing if the handle is not
  /// tracked.
  public ByteBuf touch(Object hint) {
    if (leak != null) {
      leak.record(hint);
    }
    return this;
  }

  // ---- for classes of this package ----

  /// Sets the reader index without a check.
  ByteBuf moveReader(int index) {
    reader = index;
    return this;
  }

  /// Sets the writer index without a check, behind bytes that [#writable] made room for.
  ByteBuf moveWriter(int index) {
    writer = index;
    return this;
  }

  /// Checks a range, and that the buffer is live. The caller may then access the range by [#array]
  /// and [#address].
  void checkRange(int index, int length) {
    if (index < 0 || length < 0 || index > limit - length) {
      throw outOfBounds(index, length);
    }
  }

  /// Checks a value of `width` bytes, a constant above 0, and returns the index.
  ///
  /// Measured with 32 longs: at scattered indices, one unsigned comparison takes 24 ns and two
  /// comparisons take 37 ns; at consecutive indices, one takes 17 ns and two take 13 ns. A
  /// comparison that the compiler does not recognise as a range check takes 26 ns.
  int checkValue(int index, int width) {
    try {
      return Objects.checkIndex(index, Math.max(limit - (width - 1), 0));
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(index, width);
    }
  }

  private IndexOutOfBoundsException outOfBounds(int index, int length) {
    requireLive();
    return new IndexOutOfBoundsException(
        "index " + index + " with length " + length + " is outside the capacity " + limit);
  }

  void requireLive() {
    if (limit < 0) {
      throw new IllegalStateException("the buffer was released");
    }
  }

  /// The index of the next value of `width` bytes, a constant above 0. One comparison is enough,
  /// because a released buffer has nothing to read. A second comparison would prevent the
  /// vectorisation of loops over a buffer, which makes them five times as slow.
  private int next(int width) {
    int index = reader;
    if (index > writer - width) {
      throw underrun(width);
    }
    return index;
  }

  int readable(int length) {
    int index = reader;
    if (length < 0 || length > writer - index || limit < 0) {
      throw underrun(length);
    }
    return index;
  }

  private IndexOutOfBoundsException underrun(int length) {
    requireLive();
    return new IndexOutOfBoundsException(
        "cannot read " + length + " bytes, " + (writer - reader) + " are readable");
  }

  void checkWrite(int index, int length) {
    if (index < frozen || length < 0 || index > limit - length) {
      checkFrozen(index, length);
    }
  }

  private void checkFrozen(int index, int length) {
    checkRange(index, length);
    if (length > 0) {
      requireOwn();
    }
  }

  private void requireOwn() {
    if (!isOwn()) {
      throw new IllegalStateException(
          "bytes before index "
              + frozen
              + " are read-only, because another handle sees them: write to a copy, or release the"
              + " other handles first");
    }
    updateWriteEnd();
  }

  void updateWriteEnd() {
    writeEnd = writer < frozen ? RELEASED : limit;
  }

  int writable(int length) {
    int index = writer;
    if (index > writeEnd - length) {
      makeWritable(length);
    }
    return index;
  }

  private void makeWritable(int length) {
    requireLive();
    if (writer < frozen && length > 0 && !Growth.isUsedUp(this)) {
      requireOwn();
    }
    if (writer > limit - length) {
      Growth.grow(this, length);
    }
  }

  // ---- objects ----

  /// True for a live buffer with the same readable bytes. A released buffer equals itself alone. It
  /// does not throw, because collections and debuggers compare objects without regard to their
  /// lifetime.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ByteBuf that
            && isLive()
            && that.isLive()
            && that.writer - that.reader == writer - reader
            && mismatch(that) < 0);
  }

  /// The hash of the readable bytes, which changes with them. After release, the identity hash.
  @Override
  public int hashCode() {
    return isLive()
        ? Raw.view(array, address + reader, writer - reader).hashCode()
        : System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return limit < 0
        ? "ByteBuf[released]"
        : "ByteBuf["
            + (array == null ? "native" : "array")
            + ", reader "
            + reader
            + ", writer "
            + writer
            + ", capacity "
            + limit
            + "]";
  }
}
