package dev.quickwater.buffer;

import dev.quickwater.common.LeakTracker;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.charset.Charset;
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
///   succeeds after the others were released. Bytes that were never given away stay writable, so a
///   receive buffer fills up behind the messages that were sliced from it. Nothing counts the
///   handles on memory of the garbage collector ([#wrap(byte...)], [#copy]): there, bytes that were
///   given away stay read-only.
/// - **Use after release throws** [IllegalStateException], on the releasing thread and on every
///   thread that the release happens-before. A racing thread may read wrong bytes; it cannot fault.
/// - **Growth:** a write past the capacity moves the bytes before the writer index to a larger
///   block, up to [#maxCapacity]. Other handles keep the old memory. Only a handle from an
///   allocator grows; shares, slices, split handles and wrapped arrays have a fixed capacity.
/// - **Not synchronised:** one thread at a time, hand-over with a happens-before edge.
/// - Multi-byte values are in network byte order; methods with a [java.nio.ByteOrder] take the
///   other one. A float is `Float.intBitsToFloat(readInt())`, a double
///   `Double.longBitsToDouble(readLong())`, and to write one
///   `writeInt(Float.floatToRawIntBits(value))`.
/// - Indices and lengths are in bytes. An index outside the buffer throws
///   [IndexOutOfBoundsException] with all numbers in it.
public final class ByteBuf implements Payload, ByteOrderAccess {
  private static final int RELEASED = -1;

  /// After a split little of the block is left, while as much as before is going to be written: the
  /// next block has the size of the last one, up to this many bytes.
  private static final int REFILL = 64 << 10;

  /// The memory's count and owner; null for memory of the garbage collector.
  private @Nullable Block block;

  /// Null for native memory.
  private byte @Nullable [] array;

  /// The native address, or the offset in the array. Growth writes it before [#limit], so that no
  /// thread reads a new limit and then an old address.
  private long address;

  /// The capacity while the handle is live, -1 once it is released: the bounds check that each
  /// access makes anyway catches use after release.
  private int limit;

  /// [#limit] while the writer index is at or behind [#frozen]; otherwise, and after release, -1:
  /// the one comparison of a write in order catches bytes that another handle sees, too.
  private int writeEnd;

  /// Other handles may see bytes before this index, none sees bytes from here on.
  private int frozen;

  private int reader;
  private int writer;

  /// The capacity to which writes let this handle grow; 0 if its capacity is fixed.
  private final int growthLimit;

  private final LeakTracker.@Nullable Leak leak;

  ByteBuf(Block block, int capacity, int maxCapacity, @Nullable String tracked) {
    this.block = block;
    this.array = block.array;
    this.address = block.address;
    this.limit = capacity;
    this.writeEnd = capacity;
    this.growthLimit = Math.min(maxCapacity, SizeClasses.LARGEST);
    this.leak = tracked == null ? null : LeakTracker.track(this, tracked);
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

  /// A further handle, on `length` bytes of another, all readable. The caller counts it.
  private ByteBuf(ByteBuf other, int index, int length, int frozen) {
    this.block = other.block;
    this.array = other.array;
    this.address = other.address + index;
    this.limit = length;
    this.writeEnd = length;
    this.frozen = frozen;
    this.writer = length;
    this.growthLimit = 0;
    this.leak =
        other.leak == null || !LeakTracker.VIEWS
            ? null
            : LeakTracker.track(this, "a view of a buffer");
  }

  // ---- making buffers in memory of the garbage collector ----

  /// A buffer over the bytes of an array, all readable, that cannot grow; without arguments a new
  /// empty buffer. The array is not copied: changes of one are seen in the other. It need not be
  /// released, though it may.
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
      int most = Math.min(maxCapacity, SizeClasses.LARGEST);
      throw new IllegalArgumentException(
          "capacity " + capacity + " is not between 0 and the maximum " + most);
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
  /// write throws until that handle is released; [#split] and [#discardRead] make room meanwhile.
  public ByteBuf clear() {
    requireLive();
    reader = 0;
    writer = 0;
    updateWriteEnd();
    return this;
  }

  /// Moves the readable bytes to index 0, so that the space before them can be written again. If
  /// another handle sees bytes of this buffer, the readable bytes are copied to new memory. If
  /// there are none, a buffer that can grow continues behind the bytes that others see: its
  /// capacity shrinks, as with [#split].
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
      advance(Math.max(writer, frozen));
    } else {
      copyToNewMemory(length);
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

  // ---- single values at an index ----

  /// The byte at an index.
  public byte getByte(int index) {
    check(index, 1);
    return Raw.getByte(array, address, index);
  }

  /// The byte at an index as 0 to 255.
  public int getUnsignedByte(int index) {
    return getByte(index) & 0xff;
  }

  /// Two bytes as a signed number.
  @Override
  public short getShort(int index) {
    check(index, 2);
    return Raw.getShort(array, address, index);
  }

  /// Two bytes as 0 to 65,535.
  public int getUnsignedShort(int index) {
    return getShort(index) & 0xffff;
  }

  /// Four bytes as a signed number.
  @Override
  public int getInt(int index) {
    check(index, 4);
    return Raw.getInt(array, address, index);
  }

  /// Four bytes as 0 to 4,294,967,295.
  public long getUnsignedInt(int index) {
    return Integer.toUnsignedLong(getInt(index));
  }

  /// Eight bytes as a signed number.
  @Override
  public long getLong(int index) {
    check(index, 8);
    return Raw.getLong(array, address, index);
  }

  /// Sets the byte at an index to the low eight bits of `value`.
  public ByteBuf setByte(int index, int value) {
    checkWrite(index, 1);
    Raw.putByte(array, address, index, value);
    return this;
  }

  /// Sets two bytes to the low sixteen bits of `value`.
  @Override
  public ByteBuf setShort(int index, int value) {
    checkWrite(index, 2);
    Raw.putShort(array, address, index, value);
    return this;
  }

  /// Sets four bytes.
  @Override
  public ByteBuf setInt(int index, int value) {
    checkWrite(index, 4);
    Raw.putInt(array, address, index, value);
    return this;
  }

  /// Sets eight bytes.
  @Override
  public ByteBuf setLong(int index, long value) {
    checkWrite(index, 8);
    Raw.putLong(array, address, index, value);
    return this;
  }

  // ---- single values at the indices ----

  /// Reads a byte.
  public byte readByte() {
    int index = reader;
    if (index >= writer) {
      throw underrun(1);
    }
    reader = index + 1;
    return Raw.getByte(array, address, index);
  }

  /// Reads a byte as 0 to 255.
  public int readUnsignedByte() {
    return readByte() & 0xff;
  }

  /// Reads two bytes as a signed number.
  @Override
  public short readShort() {
    int index = next(2);
    reader = index + 2;
    return Raw.getShort(array, address, index);
  }

  /// Reads two bytes as 0 to 65,535.
  public int readUnsignedShort() {
    return readShort() & 0xffff;
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

  /// Reads four bytes as 0 to 4,294,967,295.
  public long readUnsignedInt() {
    return Integer.toUnsignedLong(readInt());
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

  // ---- many bytes ----

  /// Copies bytes at an index into an array.
  public ByteBuf getBytes(int index, byte[] target, int offset, int length) {
    check(index, length);
    Objects.checkFromIndexSize(offset, length, target.length);
    Raw.copy(array, address + index, target, offset, length);
    return this;
  }

  /// Reads bytes into an array.
  public ByteBuf readBytes(byte[] target, int offset, int length) {
    int index = readable(length);
    getBytes(index, target, offset, length);
    reader = index + length;
    return this;
  }

  /// Reads `length` bytes into a new array.
  public byte[] readBytes(int length) {
    int index = readable(length);
    byte[] bytes = new byte[length];
    getBytes(index, bytes, 0, length);
    reader = index + length;
    return bytes;
  }

  /// Copies bytes from an array to an index.
  public ByteBuf setBytes(int index, byte[] source, int offset, int length) {
    checkWrite(index, length);
    Objects.checkFromIndexSize(offset, length, source.length);
    Raw.copy(source, offset, array, address + index, length);
    return this;
  }

  /// Sets `length` bytes at an index to the low eight bits of `value`.
  public ByteBuf fill(int index, int length, int value) {
    checkWrite(index, length);
    Raw.fill(array, address + index, length, (byte) value);
    return this;
  }

  /// Writes all bytes of an array.
  public ByteBuf writeBytes(byte[] source) {
    int index = writable(source.length);
    Raw.copy(source, 0, array, address + index, source.length);
    writer = index + source.length;
    return this;
  }

  /// Writes bytes of an array.
  public ByteBuf writeBytes(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    int index = writable(length);
    Raw.copy(source, offset, array, address + index, length);
    writer = index + length;
    return this;
  }

  /// Writes the readable bytes of another buffer and moves its reader index; the other stays its
  /// holder's.
  public ByteBuf writeBytes(ByteBuf source) {
    return writeBytes(source, source.readableBytes());
  }

  /// Writes `length` readable bytes of another buffer and moves its reader index.
  public ByteBuf writeBytes(ByteBuf source, int length) {
    int from = source.readable(length);
    writeBytes(source, from, length);
    source.reader = from + length;
    return this;
  }

  /// Writes `length` bytes of another buffer, or of this one, that begin at `index` there; the
  /// indices of the source stay.
  public ByteBuf writeBytes(ByteBuf source, int index, int length) {
    source.check(index, length);
    int to = writable(length);
    Raw.copy(source.array, source.address + index, array, address + to, length);
    writer = to + length;
    return this;
  }

  /// Writes text as ASCII; other characters become `?`.
  ///
  /// @throws IndexOutOfBoundsException if it needs more than [#maxCapacity] allows; nothing is
  ///   written then
  public ByteBuf writeAscii(CharSequence text) {
    Utf8.writeAscii(this, text);
    return this;
  }

  /// Writes text as UTF-8, without garbage; lone surrogates become `?`. [Utf8#size] measures.
  ///
  /// @throws IndexOutOfBoundsException if it needs more than [#maxCapacity] allows; nothing is
  ///   written then
  public ByteBuf writeUtf8(CharSequence text) {
    Utf8.write(this, text);
    return this;
  }

  String text(int index, int length, Charset charset) {
    check(index, length);
    return Utf8Decoder.text(array, address + index, length, charset);
  }

  /// Reads `length` bytes as text; malformed input is replaced.
  public String readString(int length, Charset charset) {
    int index = readable(length);
    String text = text(index, length, charset);
    reader = index + length;
    return text;
  }

  /// Reads `length` bytes of UTF-8 as text; malformed input is replaced.
  public String readUtf8(int length) {
    return readString(length, StandardCharsets.UTF_8);
  }

  /// The first index in `[from, to)` that has `value`, or -1.
  public int indexOf(int from, int to, byte value) {
    check(from, to - from);
    return ByteScan.indexOf(array, address, limit, from, to, value);
  }

  /// Shows the bytes in `[from, to)` to a processor until it stops.
  ///
  /// @return the index at which it stopped, or -1
  public int forEachByte(int from, int to, ByteProcessor processor) {
    check(from, to - from);
    return ByteScan.forEach(this, from, to, processor);
  }

  /// Compares the readable bytes with those of another buffer; all indices stay.
  ///
  /// @return the number of equal bytes before the first that differs, or before the end of the
  ///   shorter of the two; -1 if both have the same bytes
  public int mismatch(ByteBuf other) {
    int index = readable(writer - reader);
    int from = other.readable(other.writer - other.reader);
    return Raw.mismatch(
        array,
        address + index,
        writer - index,
        other.array,
        other.address + from,
        other.writer - from);
  }

  /// Readable bytes before the first that equals `value`, or -1.
  public int bytesBefore(byte value) {
    int index = indexOf(reader, writer, value);
    return index < 0 ? -1 : index - reader;
  }

  // ---- further handles ----

  /// A new handle on the bytes before the writer index, with the same reader index and a fixed
  /// capacity. They are read-only for both handles while both are live.
  public ByteBuf share() {
    ByteBuf handle = slice(0, writer);
    handle.reader = reader;
    return handle;
  }

  /// A new handle on `length` bytes at an index, all readable, with a fixed capacity. They are
  /// read-only for both handles while both are live, as are the bytes before them for this handle.
  public ByteBuf slice(int index, int length) {
    check(index, length);
    ByteBuf handle = handle(index, length, length);
    if (length > 0 && frozen < index + length) {
      frozen = index + length;
      updateWriteEnd();
    }
    return handle;
  }

  /// A new handle on the next `length` readable bytes, as [#slice]; they count as read here.
  public ByteBuf readSlice(int length) {
    int index = readable(length);
    ByteBuf handle = slice(index, length);
    reader = index + length;
    return handle;
  }

  /// Gives the readable bytes away: a new handle on exactly those bytes, with a fixed capacity.
  /// This buffer continues behind them with indices that begin at 0. Its capacity shrinks by what
  /// lies before; when the rest is used up, growth moves it to new memory, so the memory of what
  /// was given away is returned with the last handle on it. [#maxCapacity] stays and counts from
  /// the new index 0. The two handles have no byte in common and both may write.
  public ByteBuf split() {
    int index = readable(writer - reader);
    int length = writer - index;
    ByteBuf handle = handle(index, length, Math.clamp(frozen - (long) index, 0, length));
    advance(writer);
    return handle;
  }

  /// A new buffer with a copy of the readable bytes, in memory of the garbage collector.
  public ByteBuf copy() {
    int index = readable(writer - reader);
    byte[] bytes = new byte[writer - index];
    getBytes(index, bytes, 0, bytes.length);
    return wrap(bytes);
  }

  /// A new handle that is counted. It is made and tracked before the count is raised: if memory for
  /// it runs out, nothing has changed.
  private ByteBuf handle(int index, int length, int frozenLength) {
    requireLive();
    ByteBuf handle = new ByteBuf(this, index, length, frozenLength);
    boolean counted = false;
    try {
      handle.retain();
      counted = true;
    } finally {
      if (!counted) {
        handle.end();
      }
    }
    return handle;
  }

  private void retain() {
    if (block != null) {
      block.share();
    }
  }

  // ---- lifetime ----

  /// Ends this handle's hold on the memory.
  ///
  /// @throws IllegalStateException if it was released before
  @Override
  public void release() {
    requireLive();
    end();
    if (block != null) {
      block.release();
    }
  }

  /// Makes every use throw, without a change to the count.
  private void end() {
    limit = RELEASED;
    writeEnd = RELEASED;
    reader = 0;
    writer = 0;
    if (leak != null) {
      untrack(leak);
    }
  }

  /// This handle must not become unreachable between its release and the tracker's knowing of it.
  private void untrack(LeakTracker.Leak tracked) {
    try {
      tracked.released();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /// True until [#release].
  public boolean isLive() {
    return limit >= 0;
  }

  /// True if another live handle is on the same memory; bytes that both see are read-only then.
  /// Always false for memory of the garbage collector, whose handles are not counted.
  ///
  /// @throws IllegalStateException after release
  public boolean isShared() {
    requireLive();
    return block != null && block.holders() > 1;
  }

  /// Whether every byte of this buffer may be written. Bytes that other handles saw become writable
  /// when the last of those handles has been released.
  private boolean isOwn() {
    if (frozen > 0 && block != null && !isShared()) {
      frozen = 0;
    }
    return frozen == 0;
  }

  /// Notes for a leak report that the buffer came by here; free when the handle is not tracked.
  public ByteBuf touch(Object hint) {
    if (leak != null) {
      leak.record(hint);
    }
    return this;
  }

  // ---- the memory, for classes of this package ----

  /// Checks a range, and liveness with it; what follows may then access it by [#array] and
  /// [#address].
  void checkRange(int index, int length) {
    check(index, length);
  }

  /// The capacity, or -1 after release.
  int liveCapacity() {
    return limit;
  }

  /// The array that holds the bytes, or null for native memory.
  byte @Nullable [] memoryArray() {
    return array;
  }

  /// Where index 0 is: a native address, or an offset in the array.
  long memoryAddress() {
    return address;
  }

  // ---- checks and raw access ----

  private void check(int index, int length) {
    if (index < 0 || length < 0 || index > limit - length) {
      throw outOfBounds(index, length);
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

  /// Where the next value of `width` bytes is, a constant above 0. One comparison does: a released
  /// buffer has nothing to read. More, or a second one with the limit, would keep loops over a
  /// buffer from being vectorised, which makes them five times as slow.
  private int next(int width) {
    int index = reader;
    if (index > writer - width) {
      throw underrun(width);
    }
    return index;
  }

  private int readable(int length) {
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

  private void checkWrite(int index, int length) {
    if (index < frozen || length < 0 || index > limit - length) {
      checkFrozen(index, length);
    }
  }

  private void checkFrozen(int index, int length) {
    check(index, length);
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

  private void updateWriteEnd() {
    writeEnd = writer < frozen ? RELEASED : limit;
  }

  private int writable(int length) {
    int index = writer;
    if (index > writeEnd - length) {
      makeWritable(length);
    }
    return index;
  }

  private void makeWritable(int length) {
    requireLive();
    if (writer < frozen && length > 0) {
      requireOwn();
    }
    if (writer > limit - length) {
      grow(length);
    }
  }

  /// Fields are read once, lest a racing thread make the copy longer than the new block.
  private void grow(int length) {
    int written = writer;
    long needed = (long) written + length;
    if (needed > growthLimit) {
      throw new IndexOutOfBoundsException(
          "cannot write %d bytes at %d, the maximum capacity is %d"
              .formatted(length, written, maxCapacity()));
    }
    Block mine =
        Objects.requireNonNull(block, "memory of the garbage collector has a fixed capacity");
    long room = Math.min(mine.address + mine.capacity() - address, growthLimit);
    if (needed <= room) {
      // No other handle has bytes behind the limit: their capacity is fixed.
      limit = (int) room;
      updateWriteEnd();
    } else {
      long wanted = Math.max(2L * limit, Math.min(mine.capacity(), REFILL));
      wanted = Math.min(wanted, growthLimit);
      Block larger = larger(mine.heap, (int) needed, (int) wanted);
      move(larger, 0, written, Math.min(larger.capacity(), growthLimit));
    }
  }

  /// Moves written bytes to the start of another block, which no other handle sees, and releases
  /// the block before.
  private void move(Block target, int index, int length, int capacity) {
    Raw.copy(array, address + index, target.array, target.address, length);
    @Nullable Block old = block;
    block = target;
    array = target.array;
    address = target.address;
    frozen = 0;
    reader -= index;
    writer = length;
    VarHandle.storeStoreFence();
    limit = capacity;
    writeEnd = capacity;
    if (old != null) {
      old.release();
    }
  }

  /// The readable bytes go to memory that no other handle sees; the capacity stays. The new memory
  /// has at least as much, so that a thread that races and has read the capacity stays inside.
  private void copyToNewMemory(int length) {
    if (block != null) {
      move(block.heap.takeLarger(limit), reader, length, limit);
      return;
    }
    byte[] fresh = new byte[limit];
    Raw.copy(array, address + reader, fresh, 0, length);
    array = fresh;
    address = 0;
    frozen = 0;
    reader = 0;
    writer = length;
    writeEnd = limit;
  }

  /// Makes an index the new index 0; what is before is no longer this handle's.
  private void advance(int start) {
    limit -= start;
    VarHandle.storeStoreFence();
    address += start;
    frozen = Math.max(frozen - start, 0);
    reader = 0;
    writer = 0;
    updateWriteEnd();
  }

  /// What is wanted beyond need is not worth failing for at the limit of the process.
  private static Block larger(Heap heap, int needed, int wanted) {
    if (wanted <= needed) {
      return heap.takeLarger(needed);
    }
    try {
      return heap.takeLarger(wanted);
    } catch (OutOfMemoryError e) {
      return heap.takeLarger(needed);
    }
  }

  // ---- objects ----

  /// True for a live buffer with the same readable bytes. A released buffer equals itself alone: it
  /// does not throw, as collections and debuggers compare objects whose life they cannot see.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ByteBuf that
            && isLive()
            && that.isLive()
            && that.writer - that.reader == writer - reader
            && mismatch(that) < 0);
  }

  /// Of the readable bytes, so it changes with them; after release that of the object.
  @Override
  public int hashCode() {
    return isLive()
        ? Raw.view(array, address + reader, writer - reader).hashCode()
        : System.identityHashCode(this);
  }

  /// The readable bytes as text; malformed input is replaced.
  public String toString(Charset charset) {
    return text(reader, writer - reader, charset);
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
