package dev.quickwater.buffer;

import dev.quickwater.buffer.Holders.Change;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A region cut into blocks of one size, with all that is known of them: who holds each, and which
/// are free.
///
/// - That knowledge is in Java arrays, outside the memory it speaks of, so that a stale write
///   cannot corrupt it. A block is an index; it costs 6 to 66 bytes of Java heap, by its size.
/// - [#share], [#release] and [#freeRemotely] may be called on any thread. The rest is guarded by
///   whoever drives the heap.
/// - Blocks are cut one by one when none is free, so that memory is not touched before it is used.
final class Page {

  /// Stands where a heap has no page: nothing is free in it and nothing can be cut.
  static final Page NONE = new Page();

  /// Counts of smaller blocks than `2^(SPREAD_FROM + 1)` bytes stand side by side; the distance
  /// doubles with the size up to a cache line.
  private static final int SPREAD_FROM = 7;

  private static final int MAX_SPREAD = 4;

  /// A page, a region and the headers of two arrays, as the JVM lays them out without compact
  /// headers.
  private static final int FIXED_BYTES = 96 + 48 + 2 * 16;

  /// Ends a list of blocks.
  private static final char END = 0xffff;

  private static final VarHandle FREED;

  static {
    try {
      FREED = MethodHandles.lookup().findVarHandle(Page.class, "freed", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Null only for [#NONE].
  private final @Nullable Heap heap;

  final int sizeClass;
  final int blockSize;
  private final int count;

  /// 2^32 by the steps of a block, rounded up: multiplying by it divides. 0 for a single block.
  private final long reciprocal;

  private @Nullable Region region;

  /// The array for heap memory, null for native memory.
  byte @Nullable [] array;

  /// The address of the first block, see [Region#address].
  private long address;

  private int length;

  /// The [Holders] of each block, spread so that threads which hold neighbours seldom share a cache
  /// line; for blocks of 2 KiB and more each has one.
  private final int[] holders;

  private final int spread;

  /// Links the blocks of a list by index: a block is in the list of the free ones, or in that of
  /// [#freed], or in none.
  private final char[] following;

  /// The first free block.
  private char first = END;

  /// How many blocks are free.
  int free;

  /// How many blocks have been cut.
  private int cut;

  /// Blocks that other threads have freed: how many in the upper half, one more than the index of
  /// the first in the lower. Changed by [#FREED] alone.
  @SuppressWarnings("UnusedVariable")
  private volatile int freed;

  /// The next page of the heap with blocks that other threads have freed.
  @Nullable Page nextFreed;

  // The heap's lists of pages.
  @Nullable Page next;
  @Nullable Page previous;

  private Page() {
    this(null, SizeClasses.COUNT, 0, 0);
  }

  private Page(@Nullable Heap heap, int sizeClass, int blockSize, int count) {
    this.heap = heap;
    this.sizeClass = sizeClass;
    this.blockSize = blockSize;
    this.count = count;
    this.reciprocal = count <= 1 ? 0 : (1L << 32) / (blockSize / SizeClasses.STEP) + 1;
    this.spread = count <= 1 ? 0 : spread(blockSize);
    this.holders = new int[count << spread];
    Arrays.fill(holders, Holders.initial());
    this.following = new char[count];
  }

  /// A page of a class, still without memory.
  static Page of(Heap heap, int sizeClass) {
    int size = SizeClasses.capacity(sizeClass);
    return new Page(heap, sizeClass, size, SizeClasses.pageBytes(sizeClass) / size);
  }

  /// A page for one large block, still without memory.
  static Page alone(Heap heap, int length) {
    return new Page(heap, SizeClasses.COUNT, length, 1);
  }

  /// Bytes of Java heap for each block of a class, save what the page costs once.
  static int heapBytesOfBlock(int sizeClass) {
    return (Integer.BYTES << spread(SizeClasses.capacity(sizeClass))) + Character.BYTES;
  }

  /// Bytes of Java heap that this page takes: itself, its region and its arrays.
  int heapBytes() {
    return FIXED_BYTES + Integer.BYTES * holders.length + Character.BYTES * following.length;
  }

  private static int spread(int blockSize) {
    return Math.clamp(SizeClasses.log(blockSize) - SPREAD_FROM, 0, MAX_SPREAD);
  }

  /// Gives the page its memory, once.
  Page place(Region memory) {
    region = memory;
    array = memory.array;
    address = memory.address;
    length = memory.length;
    return this;
  }

  /// The memory, for the source that it came from.
  Region region() {
    if (region == null) {
      throw new IllegalStateException("the page has no memory");
    }
    return region;
  }

  int length() {
    return length;
  }

  /// True for a page whose only block does not belong to a size class.
  boolean isAlone() {
    return sizeClass == SizeClasses.COUNT;
  }

  // ---- blocks ----

  /// Where a block begins.
  long addressOf(int index) {
    return address + (long) index * blockSize;
  }

  /// Where the block that has an address ends.
  long endOf(int index) {
    return addressOf(index) + blockSize;
  }

  /// The block that has an address.
  ///
  /// @throws IllegalStateException if it is elsewhere, as a thread may find that races the growth
  ///   of its buffer
  int indexOf(long at) {
    long offset = at - address;
    if (offset < 0 || offset >= length) {
      throw new IllegalStateException("the buffer was changed by another thread meanwhile");
    }
    return (int) ((offset / SizeClasses.STEP) * reciprocal >>> 32);
  }

  /// How many handles hold a block.
  int holders(int index) {
    return Holders.of(holders, index << spread);
  }

  /// Adds a holder to the block that has an address. Any thread.
  ///
  /// @throws IllegalStateException if nothing holds it, or too many do
  void share(long at) {
    int index = indexOf(at);
    Change change = Holders.share(holders, index << spread);
    if (change != Change.DONE) {
      refuseShare(change, index);
    }
  }

  private void refuseShare(Change change, int index) {
    if (change == Change.TOO_MANY) {
      throw new IllegalStateException("the memory has " + holders(index) + " holders, the limit");
    }
    if (change == Change.REFUSED_AND_FREED) {
      heap().free(this, index);
    }
    throw new IllegalStateException("the memory was released by its last holder");
  }

  /// Removes a holder from the block that has an address, and frees the block with the last. Any
  /// thread.
  ///
  /// @throws IllegalStateException if nothing holds it
  void release(long at) {
    int index = indexOf(at);
    Change change = Holders.release(holders, index << spread);
    if (change == Change.FREED) {
      heap().free(this, index);
    } else if (change != Change.DONE) {
      refuseRelease(change, index);
    }
  }

  private void refuseRelease(Change change, int index) {
    if (change == Change.REFUSED_AND_FREED) {
      heap().free(this, index);
    }
    throw new IllegalStateException("the memory was released more often than it was held");
  }

  /// What takes the blocks back.
  Heap heap() {
    if (heap == null) {
      throw new IllegalStateException("the page has no heap");
    }
    return heap;
  }

  /// Begins a life of a block, with one holder.
  void revive(int index) {
    Holders.revive(holders, index << spread);
  }

  // ---- what is free ----

  /// True when no block is in use.
  boolean isEmpty() {
    return free == cut;
  }

  boolean canCut() {
    return cut < count;
  }

  /// A block that was never in use.
  int cut() {
    return cut++;
  }

  /// Takes the block that was freed last; there must be one.
  int pop() {
    char index = first;
    first = following[index];
    free--;
    return index;
  }

  void push(int index) {
    following[index] = first;
    first = (char) index;
    free++;
  }

  /// Notes blocks that another thread than the driver has freed, linked from `firstBlock` to
  /// `lastBlock`. Any thread.
  ///
  /// @return true if there were none: the caller puts the page on its heap's list
  boolean freeRemotely(int firstBlock, int lastBlock, int blocks) {
    int before;
    int after;
    do {
      before = (int) FREED.getVolatile(this);
      following[lastBlock] = (char) ((before & 0xffff) - 1);
      after = (before & 0xffff_0000) + (blocks << 16) | firstBlock + 1;
    } while (!FREED.compareAndSet(this, before, after));
    return before == 0;
  }

  /// Makes one freed block follow another, before both are noted.
  void link(int block, int followingBlock) {
    following[block] = (char) followingBlock;
  }

  /// Takes the list of what other threads have freed; walk it by [#firstOf], [#countOf] and
  /// [#following].
  int takeFreed() {
    return (int) FREED.getAndSet(this, 0);
  }

  static int firstOf(int list) {
    return (list & 0xffff) - 1;
  }

  static int countOf(int list) {
    return list >>> 16;
  }

  int following(int index) {
    return following[index];
  }

  /// Bytes of blocks that other threads have freed and the driver has not taken yet.
  long freedBytes() {
    return (long) countOf((int) FREED.getVolatile(this)) * blockSize;
  }

  /// The first free block, for checks of all of them by [#following]; there are [#free].
  int firstFree() {
    return first;
  }
}
