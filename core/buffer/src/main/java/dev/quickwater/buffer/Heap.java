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
/// - Pages without a block in use stay up to an eighth of what is in use, the rest go back to their
///   source.
final class Heap {

  /// So much memory freed elsewhere is worth waking a loop that sleeps.
  static final int WAKE_BYTES = 1 << 20;

  /// Empty pages up to this are kept whatever is in use.
  private static final int EMPTY_KEPT = 64 << 10;

  private static final VarHandle REMOTE;
  private static final VarHandle LOCK;

  /// All heaps there are. A heap whose loop has ended serves the next one, so they are few.
  private static final List<Heap> ALL = new CopyOnWriteArrayList<>();

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      REMOTE = lookup.findVarHandle(Heap.class, "remote", Block.class);
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

  /// The other pages of a class that have a free block. Full pages are in neither place.
  private final @Nullable Page[] available = new Page[SizeClasses.COUNT];

  /// The one thread whose frees are local; null while nobody has attached the heap. Only that
  /// thread sets it to itself and takes itself out, so a plain read can tell it from others.
  private @Nullable Thread owner;

  private @Nullable Runnable waker;
  private @Nullable Runnable probe;

  /// Its loop is gone: nobody will come by to collect.
  private volatile boolean abandoned;

  @SuppressWarnings("UnusedVariable") // by LOCK
  private volatile boolean locked;

  /// Bytes of blocks in use, those not counted that [#remote] holds.
  private long live;

  /// Bytes of listed pages without a block in use.
  private long empty;

  private int samples;

  private final AtomicLong pageBytes = new AtomicLong();
  private final AtomicLong huge = new AtomicLong();

  @SuppressWarnings("UnusedVariable") // by REMOTE
  private volatile @Nullable Block remote;

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
    ALL.add(this);
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

  /// Makes the calling thread the owner.
  void attach(@Nullable Runnable wake) {
    while (!tryLock()) {
      Thread.onSpinWait(); // someone frees into it, for as long as that takes
    }
    abandoned = false;
    waker = wake;
    owner = Thread.currentThread();
  }

  /// Gives the heap up; empty pages go back.
  void detach() {
    collect();
    trim();
    probe = null;
    waker = null;
    owner = null;
    abandoned = true;
    unlock();
    settle();
  }

  /// Nobody drives an abandoned heap, so that whoever frees into it also collects; the lock's
  /// holder looks once more after letting go, lest a block that came meanwhile be left.
  private void settle() {
    while (abandoned && remote != null && tryLock()) {
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
        block, capacity, maxCapacity, LeakTracker.samples(samples++) ? "a buffer" : null);
  }

  /// A block with one holder that has room for `capacity` bytes.
  Block take(int capacity) {
    if (probe != null) {
      probe.run();
    }
    int sizeClass = SizeClasses.of(capacity);
    if (sizeClass >= SizeClasses.COUNT) {
      return takeHuge(capacity);
    }
    Page page = current[sizeClass];
    Block block = page.free > 0 ? page.pop() : takeElsewhere(sizeClass);
    if (Poison.ON) {
      Poison.check(block);
    }
    live += block.page.blockSize;
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

  private Page newPage(int sizeClass) {
    Region region = source.take(SizeClasses.pageBytes(sizeClass));
    pageBytes.addAndGet(region.length());
    return new Page(sizeClass, SizeClasses.capacity(sizeClass), region);
  }

  /// A block with a region of its own. Any thread.
  Block takeHuge(int capacity) {
    Region region = source.take(pooled ? PageSource.roundUp(capacity) : Math.max(1, capacity));
    if (region.length() > SizeClasses.LARGEST_POOLED) {
      MemoryEvents.huge(nativeMemory, region.length());
    }
    Block block = new Page(SizeClasses.COUNT, region.length(), region).cut(this);
    huge.addAndGet(region.length());
    block.revive();
    return block;
  }

  // ---- giving back ----

  /// Takes a block back that has just died. Any thread.
  void free(Block block) {
    Page page = block.page;
    if (page.sizeClass >= SizeClasses.COUNT) {
      huge.addAndGet(-page.blockSize);
      source.give(page.region());
      return;
    }
    if (Poison.ON) {
      Poison.fill(block);
    }
    if (Thread.currentThread() == owner) {
      freeHere(block);
    } else {
      freeElsewhere(block);
    }
  }

  private void freeHere(Block block) {
    Page page = block.page;
    live -= page.blockSize;
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
    int steps = block.page.blockSize / SizeClasses.STEP;
    @Nullable Block head;
    int before;
    do {
      head = remote;
      before = head == null ? 0 : head.freedSteps;
      block.nextFreed = head;
      block.freedSteps = before + steps;
    } while (!REMOTE.compareAndSet(this, head, block));
    int wake = WAKE_BYTES / SizeClasses.STEP;
    if (before < wake && before + steps >= wake) {
      @Nullable Runnable sleeper = waker;
      if (sleeper != null) {
        sleeper.run();
      }
    }
  }

  /// Takes over what other threads have freed.
  void collect() {
    if (remote == null) {
      return;
    }
    @Nullable Block block = (Block) REMOTE.getAndSet(this, null);
    while (block != null) {
      @Nullable Block next = block.nextFreed;
      block.nextFreed = null;
      freeHere(block);
      block = next;
    }
  }

  // ---- pages that are not current ----

  private void relist(Page page) {
    if (page.free == 1) {
      list(page);
    }
    if (page.isEmpty()) {
      empty += page.region().length();
      if (empty > Math.max(EMPTY_KEPT, live >> 3)) {
        giveBack(page);
      }
    }
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

  /// Takes a page out of its list.
  private void unlist(Page page) {
    if (page.isEmpty()) {
      empty -= page.region().length();
    }
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

  private void giveBack(Page page) {
    unlist(page);
    release(page);
  }

  private void release(Page page) {
    if (Poison.ON) {
      for (int i = 0; i < page.free; i++) {
        Poison.check(page.freeBlock(i));
      }
    }
    pageBytes.addAndGet(-page.region().length());
    source.give(page.region());
  }

  /// Gives all pages back that have no block in use.
  void trim() {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      @Nullable Page page = available[sizeClass];
      while (page != null) {
        @Nullable Page next = page.next;
        if (page.isEmpty()) {
          giveBack(page);
        }
        page = next;
      }
      if (current[sizeClass] != Page.NONE && current[sizeClass].isEmpty()) {
        release(current[sizeClass]);
        current[sizeClass] = Page.NONE;
      }
    }
  }

  /// True when [#trim] would find something, going by the listed pages.
  boolean hasEmptyPages() {
    return empty > 0;
  }

  // ---- figures ----

  /// Bytes of pages, and of huge blocks in use. Any thread.
  long reserved() {
    return pageBytes.get() + huge.get();
  }

  /// Bytes of blocks in use; it may miss the driver's latest changes on other threads.
  long used() {
    VarHandle.acquireFence();
    @Nullable Block head = remote;
    long freed = head == null ? 0 : (long) head.freedSteps * SizeClasses.STEP;
    return live - freed + huge.get();
  }

  /// What all heaps of one kind hold together. Any thread.
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
