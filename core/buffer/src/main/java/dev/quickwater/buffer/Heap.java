package dev.quickwater.buffer;

import dev.quickwater.common.LeakTracker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Blocks of all size classes, taken by whoever drives the heap and given back by any thread.
///
/// - **The driver** is the loop thread that has attached the heap, which then holds its lock for as
///   long, or whoever holds the lock for a moment: a thread that shares the heap, or one that frees
///   into a heap which its loop has left. Everything but [#free], [#takeHuge] and the figures is
///   the driver's.
/// - [#take] pops a block of the class's current page; no atomics but the block's own count.
/// - [#free] by the driver pushes to the block's page. By another thread it pushes to one list,
///   which the driver collects when the current page runs out and before it blocks; when more than
///   [#WAKE_BYTES] have gathered there the driver is woken once.
/// - **An abandoned heap** is driven by whoever frees into it: the last block that comes back takes
///   the last page with it.
/// - Pages without a block in use stay while the heap has not much more pages than it needed at its
///   recent peak; beyond that they go back to their source.
final class Heap {

  /// So much memory freed elsewhere is worth waking a loop that sleeps.
  static final int WAKE_BYTES = 1 << 20;

  /// Pages beyond the recent peak that are kept in any case.
  private static final int SPARE = 64 << 10;

  /// The recent peak falls by this power of two of itself with each page that empties or is made:
  /// by a tenth in a hundred pages.
  private static final int FADE = 10;

  private static final VarHandle REMOTE = MethodHandles.arrayElementVarHandle(Block[].class);
  private static final VarHandle LOCK;

  private static final System.Logger LOG = System.getLogger(Heap.class.getName());

  /// All heaps that [#counted] has put there. A heap whose loop has ended serves the next one, so
  /// they are few.
  private static final List<Heap> ALL = new CopyOnWriteArrayList<>();

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCK = lookup.findVarHandle(Heap.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean nativeMemory;
  private final boolean pooled;
  private final PageSource source;

  /// The page that blocks of a class are taken from; not in the list below.
  private final Page[] current = new Page[SizeClasses.COUNT];

  /// The other pages of a class that have blocks free and in use. Full pages are in no list.
  private final @Nullable Page[] available = new Page[SizeClasses.COUNT];

  /// Pages without a block in use, by their length in units.
  private final @Nullable Page[] emptied = new Page[SizeClasses.MOST_UNITS + 1];

  /// The one thread whose frees are local; null while nobody has attached the heap. Only that
  /// thread sets it to itself and takes itself out, so a plain read can tell it from others.
  private @Nullable Thread owner;

  private @Nullable Runnable waker;
  private @Nullable Runnable probe;

  /// Its loop is gone: nobody will come by to collect.
  private volatile boolean abandoned;

  @SuppressWarnings("UnusedVariable") // by LOCK
  private volatile boolean locked;

  /// What the driver writes at every step, with room around it: in one cache line with what other
  /// threads read, that line would go to and fro between processors.
  private final long[] tally = new long[24];

  /// In [#tally]: bytes of blocks in use, those counted that [#remote] holds.
  private static final int LIVE = 8;

  /// In [#tally]: bytes of [#emptied].
  private static final int EMPTY = 9;

  /// In [#tally]: the most bytes of blocks in use, fading.
  private static final int PEAK = 11;

  /// In [#tally]: handles made so far.
  private static final int HANDLES = 10;

  private final AtomicLong pageBytes = new AtomicLong();
  private final AtomicLong huge = new AtomicLong();

  /// The list of blocks that other threads have freed, in the middle of an array for the same
  /// reason as [#tally].
  private final @Nullable Block[] remote = new Block[2 * HEAD];

  private static final int HEAD = 32;

  Heap(boolean nativeMemory) {
    this(nativeMemory, true);
  }

  /// A heap of arrays in which every block is like a huge one; so that any thread may take, and
  /// nobody drives it.
  static Heap unpooled() {
    return new Heap(false, false);
  }

  private Heap(boolean nativeMemory, boolean pooled) {
    this.nativeMemory = nativeMemory;
    this.pooled = pooled;
    this.source = pooled ? PageSource.of(nativeMemory) : UnpooledArrays.IT;
    Arrays.fill(current, Page.NONE);
  }

  /// Makes the heap count in [#total], for good.
  Heap counted() {
    ALL.add(this);
    return this;
  }

  // ---- who drives ----

  boolean tryLock() {
    return !locked && LOCK.compareAndSet(this, false, true);
  }

  /// What came meanwhile to a heap that is shared waits for its next driver; one that is abandoned
  /// needs a store that [#settle] cannot overtake.
  void unlock() {
    if (abandoned) {
      locked = false;
    } else {
      LOCK.setRelease(this, false);
    }
  }

  /// Makes a thread the owner.
  void attach(Thread thread, @Nullable Runnable wake) {
    boolean interrupted = false;
    for (int tries = 0; !tryLock(); tries++) {
      interrupted |= Backoff.pause(tries); // someone frees into it, for as long as that takes
    }
    if (interrupted) {
      thread.interrupt();
    }
    abandoned = false;
    waker = wake;
    owner = thread;
  }

  /// Gives the heap up; empty pages go back.
  void detach() {
    try {
      collect();
      trim();
    } finally {
      probe = null;
      waker = null;
      owner = null;
      abandoned = true;
      unlock();
      settle();
    }
  }

  /// Nobody drives an abandoned heap, so that whoever frees into it also collects; the lock's
  /// holder looks once more after letting go, lest a block that came meanwhile be left.
  private void settle() {
    while (abandoned && head() != null && tryLock()) {
      try {
        if (abandoned) {
          collect();
          trim();
        }
      } finally {
        unlock();
      }
    }
  }

  boolean isOwnedByCaller() {
    return Thread.currentThread() == owner;
  }

  boolean isNative() {
    return nativeMemory;
  }

  void setProbe(@Nullable Runnable called) {
    probe = called;
  }

  // ---- taking ----

  /// A capacity whose size class is a multiple of the alignment.
  static int aligned(int capacity) {
    return Math.max(capacity, 1) + ByteBufAllocator.ALIGNMENT - 1 & -ByteBufAllocator.ALIGNMENT;
  }

  ByteBuf allocate(int capacity, int maxCapacity) {
    return handle(take(capacity), capacity, maxCapacity);
  }

  /// The first handle on a block.
  ByteBuf handle(Block block, int capacity, int maxCapacity) {
    return new ByteBuf(
        block,
        capacity,
        maxCapacity,
        LeakTracker.samples((int) tally[HANDLES]++) ? "a buffer" : null);
  }

  /// A block with one holder that has room for `capacity` bytes.
  Block take(int capacity) {
    if (probe != null) {
      probe.run();
    }
    int sizeClass = SizeClasses.of(capacity);
    if (sizeClass >= SizeClasses.COUNT) {
      if (tally[EMPTY] >= capacity) {
        releaseEmptied();
      }
      return takeHuge(capacity);
    }
    Page page = current[sizeClass];
    Block block = page.free > 0 ? page.pop() : takeElsewhere(sizeClass);
    if (Poison.ON) {
      Poison.check(block);
    }
    tally[LIVE] += block.capacity();
    block.revive();
    return block;
  }

  /// A block for a buffer of this heap that grows. Any thread.
  Block takeLarger(int capacity) {
    if (!pooled) {
      return takeHuge(capacity);
    }
    int room = aligned(capacity);
    return isOwnedByCaller() ? take(room) : SharedAllocator.of(nativeMemory).take(room);
  }

  private Block takeElsewhere(int sizeClass) {
    Page page = current[sizeClass];
    if (page.canCut()) {
      return cut(page);
    }
    collect();
    if (page.free > 0) {
      return page.pop();
    }
    @Nullable Page other = available[sizeClass];
    if (other == null) {
      other = newPage(sizeClass);
    } else {
      unlist(other);
    }
    current[sizeClass] = other;
    return other.free > 0 ? other.pop() : cut(other);
  }

  private Block cut(Page page) {
    Block block = page.cut(this);
    if (Poison.ON) {
      Poison.fill(block);
    }
    return block;
  }

  /// A page for a class: an empty one of the same length if there is one, cut anew if it was of
  /// another class.
  private Page newPage(int sizeClass) {
    recentPeak();
    int bytes = SizeClasses.pageBytes(sizeClass);
    int size = SizeClasses.capacity(sizeClass);
    int units = bytes / PageSource.UNIT;
    @Nullable Page page = emptied[units];
    if (page != null) {
      // Made first: the Java heap may be full.
      Page cut = page.sizeClass == sizeClass ? page : new Page(sizeClass, size, page.region());
      takeOutOfEmptied(page, units);
      return cut;
    }
    if (tally[EMPTY] > 0) {
      releaseEmptied(); // what one class no longer needs is the next one's
    }
    Region region = source.take(bytes);
    try {
      page = new Page(sizeClass, size, region);
    } catch (OutOfMemoryError e) { // of the Java heap
      source.give(region);
      throw e;
    }
    pageBytes.addAndGet(bytes);
    return page;
  }

  /// A block with a region of its own. Any thread.
  Block takeHuge(int capacity) {
    Region region = source.take(pooled ? PageSource.roundUp(capacity) : Math.max(1, capacity));
    if (region.length() > SizeClasses.LARGEST_POOLED) {
      MemoryEvents.huge(nativeMemory, region.length());
    }
    Block block;
    try {
      block = new Page(SizeClasses.COUNT, region.length(), region).cut(this);
    } catch (OutOfMemoryError e) { // of the Java heap
      source.give(region);
      throw e;
    }
    huge.addAndGet(region.length());
    block.revive();
    return block;
  }

  // ---- giving back ----

  /// Takes a block back that has just died. Any thread.
  void free(Block block) {
    if (block.freedSteps == Block.ALONE) {
      huge.addAndGet(-block.capacity());
      source.give(block.page.region());
      return;
    }
    if (Poison.ON) {
      Poison.fill(block);
    }
    if (isOwnedByCaller()) {
      freeHere(block);
    } else {
      freeElsewhere(block);
    }
  }

  private void freeHere(Block block) {
    Page page = block.page;
    tally[LIVE] -= page.blockSize;
    page.push(block);
    if ((page.free == 1 || page.isEmpty()) && page != current[page.sizeClass]) {
      relist(page);
    }
  }

  private void freeElsewhere(Block block) {
    if (owner == null && tryLock()) {
      try {
        freeHere(block);
        if (abandoned) {
          trim();
        }
      } finally {
        unlock();
      }
    } else {
      pushRemote(block);
    }
    if (abandoned) {
      settle();
    }
  }

  private void pushRemote(Block block) {
    int steps = block.capacity() / SizeClasses.STEP;
    @Nullable Block head;
    int before;
    do {
      head = head();
      before = head == null ? 0 : head.freedSteps;
      block.nextFreed = head;
      block.freedSteps = before + steps;
    } while (!REMOTE.compareAndSet(remote, HEAD, head, block));
    int wake = WAKE_BYTES / SizeClasses.STEP;
    if (before < wake && before + steps >= wake) {
      @Nullable Runnable sleeper = waker;
      if (sleeper != null) {
        wakeUp(sleeper);
      }
    }
  }

  /// Whoever releases a buffer has nothing to do with a loop that cannot be woken.
  private static void wakeUp(Runnable sleeper) {
    try {
      sleeper.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a loop could not be woken to collect memory", e);
    }
  }

  private @Nullable Block head() {
    return (Block) REMOTE.getVolatile(remote, HEAD);
  }

  /// Takes over what other threads have freed.
  void collect() {
    if (head() == null) {
      return;
    }
    @Nullable RuntimeException failure = null;
    @Nullable Block block = (Block) REMOTE.getAndSet(remote, HEAD, (Block) null);
    while (block != null) {
      @Nullable Block next = block.nextFreed;
      block.nextFreed = null;
      try {
        freeHere(block);
      } catch (IllegalStateException e) { // of Poison; the others come back nonetheless
        failure = e;
      }
      block = next;
    }
    if (failure != null) {
      throw failure;
    }
  }

  // ---- pages that are not current ----

  /// A page that is not current has one more block free: its first, or all.
  private void relist(Page page) {
    boolean listed = page.free > 1;
    if (!page.isEmpty()) {
      list(page);
      return;
    }
    if (listed) {
      unlist(page);
    }
    checkPoison(page);
    int bytes = page.region().length();
    long peak = recentPeak();
    if (pageBytes.get() > peak + (peak >> 3) + SPARE) {
      release(page);
    } else {
      int units = bytes / PageSource.UNIT;
      page.next = emptied[units];
      emptied[units] = page;
      tally[EMPTY] += bytes;
    }
  }

  private long recentPeak() {
    long peak = tally[PEAK];
    peak = Math.max(peak - (peak >> FADE), tally[LIVE]);
    tally[PEAK] = peak;
    return peak;
  }

  private void list(Page page) {
    @Nullable Page first = available[page.sizeClass];
    page.previous = null;
    page.next = first;
    if (first != null) {
      first.previous = page;
    }
    available[page.sizeClass] = page;
  }

  private void unlist(Page page) {
    @Nullable Page before = page.previous;
    @Nullable Page after = page.next;
    if (before == null) {
      available[page.sizeClass] = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    page.next = null;
    page.previous = null;
  }

  private void takeOutOfEmptied(Page first, int units) {
    emptied[units] = first.next;
    first.next = null;
    tally[EMPTY] -= first.region().length();
  }

  private void releaseEmptied() {
    for (int units = 0; units < emptied.length; units++) {
      @Nullable Page page;
      while ((page = emptied[units]) != null) {
        takeOutOfEmptied(page, units);
        release(page);
      }
    }
  }

  private void release(Page page) {
    pageBytes.addAndGet(-page.region().length());
    source.give(page.region());
  }

  private static void checkPoison(Page page) {
    if (Poison.ON) {
      for (int i = 0; i < page.free; i++) {
        Poison.check(page.freeBlock(i));
      }
    }
  }

  /// Gives all pages back that have no block in use.
  void trim() {
    tally[PEAK] = tally[LIVE];
    releaseEmptied();
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      Page page = current[sizeClass];
      if (page != Page.NONE && page.isEmpty()) {
        checkPoison(page);
        current[sizeClass] = Page.NONE;
        release(page);
      }
    }
  }

  /// True when [#trim] would find something, going by [#emptied].
  boolean hasEmptyPages() {
    return tally[EMPTY] > 0;
  }

  // ---- figures ----

  /// Bytes of pages, and of huge blocks in use. Any thread.
  long reserved() {
    return pageBytes.get() + huge.get();
  }

  /// Bytes of blocks in use; it may miss the driver's latest changes on other threads.
  long used() {
    VarHandle.acquireFence();
    @Nullable Block head = head();
    long freed = head == null ? 0 : (long) head.freedSteps * SizeClasses.STEP;
    return tally[LIVE] - freed + huge.get();
  }

  /// What all counted heaps of one kind hold together. Any thread.
  static AllocatorMetrics total(boolean nativeMemory) {
    long used = 0;
    for (Heap heap : ALL) {
      if (heap.nativeMemory == nativeMemory) {
        used += heap.used();
      }
    }
    long unpooled = nativeMemory ? 0 : UnpooledAllocator.IT.metrics().reserved();
    return new AllocatorMetrics(
        nativeMemory, used, PageSource.of(nativeMemory).reserved() + unpooled);
  }
}
