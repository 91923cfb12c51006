package dev.quickwater.buffer.allocation;

import dev.quickwater.buffer.allocation.Holders.Change;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A region cut into blocks of one size, with the holders of each block and the lists of free
/// blocks.
///
/// - The holders and lists are in Java arrays, outside the memory of the blocks, so a stale write
///   cannot corrupt them. A block is an index and costs 6 to 66 bytes of Java heap, depending on
///   its size.
/// - [#share], [#release] and [#freeRemotely] may be called on any thread. All else is guarded by
///   the driver of the heap.
/// - Blocks are cut one by one when none is free, so memory is not touched before it is used.
public final class Page {

  /// The current page of a class that has none. It has no free block and nothing to cut.
  static final Page NONE = new Page();

  /// The counts of blocks smaller than `2^(SPREAD_FROM + 1)` bytes are adjacent. For larger blocks
  /// the distance doubles with the size, up to a cache line.
  private static final int SPREAD_FROM = 7;

  private static final int MAX_SPREAD = 4;

  /// A page, a region and the headers of two arrays, in the layout of the JVM without compact
  /// object headers.
  private static final int FIXED_BYTES = 96 + 48 + 2 * 16;

  /// Ends a list of blocks.
  private static final char END = 0xffff;

  /// Bytes of Java heap that a handle takes, for the figures.
  public static final int HANDLE_BYTES = 56;

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
  public final int blockSize;
  private final int count;

  /// 2^32 divided by the steps of a block, rounded up; multiplying by it replaces a division. 0 for
  /// a single block.
  private final long reciprocal;

  private @Nullable Region region;

  /// The array for heap memory, null for native memory.
  public byte @Nullable [] array;

  /// The address of the first block, see [Region#address].
  private long address;

  private int length;

  /// The [Holders] of each block, spread so that threads that hold adjacent blocks seldom share a
  /// cache line. Each block of 2 KiB and more has a separate cache line.
  private final int[] holders;

  private final int spread;

  /// Links the blocks of a list by index. A block is in the list of free blocks, in the list of
  /// [#freed], or in none.
  private final char[] following;

  /// The first free block.
  private char first = END;

  /// How many blocks are free.
  int free;

  /// The block that was taken last. Read by the taker, before another block of the page is taken.
  private int taken;

  /// How many blocks have been cut.
  private int cut;

  /// Blocks that other threads have freed: their number in the upper half, and the index of the
  /// first plus one in the lower half. Changed only through [#FREED].
  @SuppressWarnings("UnusedVariable")
  private volatile int freed;

  /// The next page in the list of pages with blocks that other threads have freed.
  @Nullable Page nextFreed;

  // Links of the lists of the heap.
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

  /// A page of a size class, without memory.
  public static Page of(Heap heap, int sizeClass) {
    int size = SizeClasses.capacity(sizeClass);
    return new Page(heap, sizeClass, size, SizeClasses.pageBytes(sizeClass) / size);
  }

  /// A page for one large block, without memory.
  static Page alone(Heap heap, int length) {
    return new Page(heap, SizeClasses.COUNT, length, 1);
  }

  /// Bytes of Java heap for each block of a class, without the fixed cost of the page.
  public static int heapBytesOfBlock(int sizeClass) {
    return (Integer.BYTES << spread(SizeClasses.capacity(sizeClass))) + Character.BYTES;
  }

  /// Bytes of Java heap for this page, its region and its arrays.
  public int heapBytes() {
    return FIXED_BYTES + Integer.BYTES * holders.length + Character.BYTES * following.length;
  }

  private static int spread(int blockSize) {
    return Math.clamp(SizeClasses.log(blockSize) - SPREAD_FROM, 0, MAX_SPREAD);
  }

  /// Sets the memory of the page. Called once.
  Page place(Region memory) {
    region = memory;
    array = memory.array;
    address = memory.address;
    length = memory.length;
    return this;
  }

  /// The memory, to return to its source.
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

  /// The address at which a block begins.
  public long addressOf(int index) {
    return address + (long) index * blockSize;
  }

  /// The address at which the block that contains `at` ends.
  public long endOf(int index) {
    return addressOf(index) + blockSize;
  }

  /// The block that contains an address.
  ///
  /// @throws IllegalStateException if the address is outside this page, which happens to a thread
  ///   that races the growth of its buffer
  public int indexOf(long at) {
    long offset = at - address;
    if (offset < 0 || offset >= length) {
      throw new IllegalStateException("another thread changed the buffer during the call");
    }
    return (int) ((offset / SizeClasses.STEP) * reciprocal >>> 32);
  }

  /// The number of handles that hold a block.
  public int holders(int index) {
    return Holders.of(holders, index << spread);
  }

  /// Adds a holder to the block that contains an address. Any thread.
  ///
  /// @throws IllegalStateException if no handle holds the block, or too many handles do
  public void share(long at) {
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
    if (change == Change.FREED) {
      heap().free(this, index);
    }
    throw new IllegalStateException("the memory was released by its last holder");
  }

  /// Removes a holder from the block that contains an address, and frees the block with the last
  /// holder. Any thread.
  ///
  /// @throws IllegalStateException if no handle holds the block
  public void release(long at) {
    int index = indexOf(at);
    Change change = Holders.release(holders, index << spread);
    if (change == Change.FREED) {
      heap().free(this, index);
    } else if (change == Change.REFUSED) {
      throw new IllegalStateException("the memory was released more often than it was held");
    }
  }

  /// The heap that the blocks return to.
  public Heap heap() {
    if (heap == null) {
      throw new IllegalStateException("the page has no heap");
    }
    return heap;
  }

  /// The block that the last [Heap#take] of this page has taken.
  public int taken() {
    return taken;
  }

  /// Begins a life of a block, with one holder.
  void revive(int index) {
    taken = index;
    Holders.revive(holders, index << spread);
  }

  // ---- free blocks ----

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

  /// Adds blocks that a thread other than the driver has freed, linked from `firstBlock` to
  /// `lastBlock`. Any thread.
  ///
  /// @return true if there were none: the caller adds the page to the list of its heap
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

  /// Links one freed block to another, before both are added.
  void link(int block, int followingBlock) {
    following[block] = (char) followingBlock;
  }

  /// Takes the list of blocks that other threads have freed, which is read by [#firstOf],
  /// [#countOf] and [#following].
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

  /// Bytes of blocks that other threads have freed and the driver has not collected.
  long freedBytes() {
    return (long) countOf((int) FREED.getVolatile(this)) * blockSize;
  }

  /// The first of the [#free] blocks, for checks that follow the list by [#following].
  int firstFree() {
    return first;
  }
}
