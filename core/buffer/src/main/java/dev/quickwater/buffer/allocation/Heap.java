package dev.quickwater.buffer.allocation;

import dev.quickwater.common.LeakTracker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Blocks of all size classes, taken by the driver of the heap and freed by any thread.
///
/// - **The driver** is the loop thread that has attached the heap and holds its lock until it
///   detaches, or a thread that holds the lock briefly: one that shares the heap, or one that frees
///   into an abandoned heap. All methods except [#free], [#takeAlone] and the metrics are for the
///   driver, unless their docs name any thread.
/// - [#take] takes a block of the current page of the class, without an atomic operation.
/// - **The handle comes first:** all allocations in the Java heap precede taking a block, and
///   freeing allocates nothing. An [OutOfMemoryError] therefore loses no block.
/// - [#free] by the driver adds the block to the list of its page. Any other thread adds the block
///   to a second list of the page, and the page to a list of the heap. The driver collects both
///   lists when the current page is used up and before it blocks. When more than [#WAKE_BYTES] are
///   in these lists, the driver is woken once.
/// - **An abandoned heap** is driven by each thread that frees into it: the last block releases the
///   last page.
/// - Pages without a block in use stay while the heap has little more than it needed at its recent
///   peak. Further pages return to their source.
public final class Heap {

  /// Bytes of blocks freed by other threads for which the driver is woken.
  static final int WAKE_BYTES = 1 << 20;

  /// Pages beyond the recent peak that are kept in any case.
  private static final int SPARE = 64 << 10;

  /// The recent peak decreases by 2^-FADE of itself each time a page becomes empty or is created:
  /// by about a tenth over a hundred pages.
  private static final int FADE = 10;

  private static final VarHandle LOCK;
  private static final VarHandle OWNER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCK = lookup.findVarHandle(Heap.class, "locked", boolean.class);
      OWNER = lookup.findVarHandle(Heap.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean nativeMemory;
  private final boolean pooled;
  private final HeapPages pages;

  /// The current page of each class: the array of [#pages].
  private final Page[] current;

  /// The thread that has attached the heap and whose frees are local; null while no thread is
  /// attached. Only that thread sets and clears this field, so it always reads its own value. Any
  /// other thread may read an outdated value, but never itself.
  @SuppressWarnings("UnusedVariable") // by OWNER
  private @Nullable Thread owner;

  /// Called by other threads. Volatile, so that they see the object as the owner has made it.
  private volatile @Nullable Runnable waker;

  private @Nullable Runnable probe;

  /// Blocks of other heaps that the owner has freed; null if the owner is not a loop thread.
  private @Nullable Outbox outbox;

  /// True when the loop has detached, so no loop collects.
  private volatile boolean abandoned;

  /// True when another thread needs memory that this heap may keep without use.
  private volatile boolean trimRequested;

  /// Links the heaps that have no loop; guarded by [Orphans].
  @Nullable Heap nextOrphan;

  @SuppressWarnings("UnusedVariable") // by LOCK
  private volatile boolean locked;

  /// Counters that the driver writes at every step, with unused elements around them. If the
  /// counters shared a cache line with fields that other threads read, each step of the driver
  /// would invalidate that line in the caches of the other processors.
  private final long[] tally = new long[24];

  /// In [#tally]: bytes of blocks in use, including blocks that other threads have freed.
  private static final int LIVE = 8;

  /// In [#tally]: the recent maximum of [#LIVE]. It decreases by [#FADE].
  private static final int PEAK = 9;

  /// In [#tally]: the number of handles created so far.
  private static final int HANDLES = 10;

  /// In [#tally]: blocks in use, including blocks that other threads have freed.
  private static final int BLOCKS = 11;

  /// The blocks that other threads have freed and the driver has not collected.
  private final RemoteFrees freedElsewhere = new RemoteFrees();

  public Heap(boolean nativeMemory) {
    this(nativeMemory, PageSource.of(nativeMemory));
  }

  /// A heap whose pages come from `source`.
  public Heap(boolean nativeMemory, PageSource source) {
    this.nativeMemory = nativeMemory;
    this.pooled = source != UnpooledArrays.IT;
    this.pages = new HeapPages(this, source);
    this.current = pages.current;
  }

  /// A heap of arrays in which every block has a separate array. Any thread may take blocks, and
  /// the heap has no driver.
  public static Heap unpooled() {
    return new Heap(false, UnpooledArrays.IT);
  }

  // ---- who drives ----

  public boolean tryLock() {
    return !locked && LOCK.compareAndSet(this, false, true);
  }

  /// Blocks freed into a shared heap during the lock wait for its next driver. In an abandoned
  /// heap, the store must precede the check in [#collectAbandoned].
  public void unlock() {
    if (trimRequested) {
      reclaim();
    }
    if (abandoned) {
      locked = false;
    } else {
      LOCK.setRelease(this, false);
    }
  }

  /// Makes a thread the owner.
  public void attach(Thread thread, @Nullable Runnable wake) {
    boolean interrupted = false;
    for (int tries = 0; !tryLock(); tries++) {
      interrupted |= Backoff.pause(tries); // another thread holds the lock while it frees a block
    }
    if (interrupted) {
      thread.interrupt();
    }
    abandoned = false;
    waker = wake;
    outbox = thread == Thread.currentThread() ? Outbox.open() : null;
    OWNER.setRelease(this, thread);
    if (trimRequested) { // by a thread that found the lock held but no waker
      reclaim();
    }
  }

  /// Abandons the heap; empty pages return to their source.
  public void detach() {
    try {
      collect();
      trim();
    } finally {
      probe = null;
      waker = null;
      if (outbox != null) {
        outbox.close();
        outbox = null;
      }
      OWNER.setRelease(this, (Thread) null);
      abandoned = true;
      unlock();
      collectAbandoned();
    }
  }

  /// Collects an abandoned heap, which has no driver: each thread that frees into it also collects.
  /// The holder of the lock checks once more after unlocking, because a block may have been freed
  /// in between.
  void collectAbandoned() {
    while (abandoned && !freedElsewhere.isEmpty() && tryLock()) {
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

  public boolean isOwnedByCaller() {
    return Thread.currentThread() == (Thread) OWNER.getOpaque(this);
  }

  public boolean isNative() {
    return nativeMemory;
  }

  /// False for the heap in which every block has a separate array.
  public boolean isPooled() {
    return pooled;
  }

  void setProbe(@Nullable Runnable called) {
    probe = called;
  }

  // ---- taking ----

  /// True when the next handle of this heap should be tracked. Called by the driver; in a shared
  /// heap by any thread, where a lost increment only changes which handles are tracked.
  public boolean tracksNext() {
    return LeakTracker.samples((int) tally[HANDLES]++);
  }

  /// Takes a block that has room for `room` bytes and one holder: [Page#taken] of the page that is
  /// returned. Nothing is allocated once the block is taken.
  public Page take(int room) {
    if (probe != null) {
      probe.run();
    }
    int sizeClass = SizeClasses.of(room);
    if (sizeClass >= SizeClasses.COUNT || !pooled) {
      return takeLarge(room);
    }
    Page page = current[sizeClass];
    if (page.free == 0) {
      page = pageWithRoom(sizeClass);
    }
    int index = page.free > 0 ? page.pop() : cut(page);
    if (Poison.ON) {
      Poison.check(page, index);
    }
    tally[LIVE] += page.blockSize;
    tally[BLOCKS]++;
    page.revive(index);
    return page;
  }

  /// A page of a class that has a free or uncut block; it becomes the current page.
  private Page pageWithRoom(int sizeClass) {
    Page page = current[sizeClass];
    if (page.canCut()) {
      return page;
    }
    collect();
    page = current[sizeClass]; // a trim for another heap may have removed it
    if (page.free > 0) {
      return page;
    }
    return pages.nextCurrent(sizeClass);
  }

  private int cut(Page page) {
    int index = page.cut();
    if (Poison.ON) {
      Poison.fill(page, index);
    }
    return index;
  }

  /// A block beyond the size classes.
  private Page takeLarge(int room) {
    return pooled ? reviveAlone(pages.takeLarge(PageSource.roundUp(room))) : takeAlone(room);
  }

  /// Like [#take], for a block that has a separate region. Any thread.
  public Page takeAlone(int room) {
    int length = pooled ? PageSource.roundUp(room) : Math.max(1, room);
    return reviveAlone(pages.takeAlone(length, null));
  }

  private Page reviveAlone(Page alone) {
    if (alone.length() > SizeClasses.LARGEST_POOLED) {
      MemoryEvents.huge(nativeMemory, alone.length());
    }
    alone.revive(0);
    return alone;
  }

  // ---- freeing ----

  /// Frees a block whose last holder has released it. Any thread.
  void free(Page page, int index) {
    if (page.isAlone()) {
      freeAlone(page);
      return;
    }
    if (Poison.ON) {
      Poison.fill(page, index);
    }
    if (isOwnedByCaller()) {
      freeHere(page, index);
    } else {
      freeElsewhere(page, index);
    }
  }

  private void freeAlone(Page page) {
    if (pooled && isOwnedByCaller()) {
      pages.keepAlone(page);
    } else {
      pages.returnAlone(page);
    }
  }

  /// Frees a block. Called by the driver.
  void freeHere(Page page, int index) {
    tally[LIVE] -= page.blockSize;
    tally[BLOCKS]--;
    page.push(index);
    if (page.isEmpty()) {
      if (page != current[page.sizeClass]) {
        long peak = updatePeak();
        pages.keepEmptied(page, peak + (peak >> 3) + SPARE);
      }
    } else if (page.free == 1 && page != current[page.sizeClass]) {
      pages.list(page);
    }
  }

  private void freeElsewhere(Page page, int index) {
    boolean driven = locked;
    @Nullable Outbox callers = driven && hasOwner() ? Outbox.ofCaller() : null;
    if (callers != null) {
      callers.add(this, page, index);
      return;
    }
    if (!driven && tryLock()) {
      try {
        freeHere(page, index);
        if (abandoned) {
          trim();
        }
      } finally {
        unlock();
      }
    } else if (freedElsewhere.add(page, index)) {
      wakeUp();
    }
    if (abandoned) {
      collectAbandoned();
    }
  }

  private boolean hasOwner() {
    return (Thread) OWNER.getOpaque(this) != null;
  }

  /// Frees blocks that another loop has gathered. Any thread. The arrays are not used any more when
  /// the waker runs, which may release a buffer.
  void freeRemotely(@Nullable Page[] pages, char[] blocks, int count) {
    if (freedElsewhere.add(pages, blocks, count)) {
      wakeUp();
    }
    if (abandoned) {
      collectAbandoned();
    }
  }

  /// Wakes the loop. A failure is logged and not thrown, because the caller only releases a buffer.
  private void wakeUp() {
    @Nullable Runnable sleeper = waker;
    if (sleeper == null) {
      return;
    }
    try {
      sleeper.run();
    } catch (RuntimeException e) {
      System.getLogger(Heap.class.getName())
          .log(System.Logger.Level.ERROR, "a loop could not be woken to collect memory", e);
    }
  }

  /// Collects the blocks that other threads have freed, and trims if another thread has requested
  /// memory.
  public void collect() {
    publishFreed();
    if (!freedElsewhere.isEmpty()) {
      freedElsewhere.collect(this);
    }
    if (trimRequested) {
      reclaim();
    }
  }

  /// Publishes the blocks of other heaps that the owner has freed.
  public void publishFreed() {
    if (outbox != null) {
      outbox.publish();
    }
  }

  // ---- memory shortage ----

  /// Collects and trims. The request is cleared last: the thread that waits for it then finds the
  /// memory. Called by the driver.
  public void reclaim() {
    freedElsewhere.collect(this);
    trim();
    trimRequested = false;
  }

  /// Requests a trim from another thread that drives the heap: a loop or the holder of the lock.
  /// Any thread.
  public void requestTrim() {
    if (!isOwnedByCaller() && locked) {
      trimRequested = true;
      wakeUp();
    }
  }

  /// True while a driver has not completed a requested trim.
  public boolean isTrimDue() {
    return trimRequested && locked;
  }

  /// True if another thread has requested a trim; costs one load.
  public boolean isTrimRequested() {
    return trimRequested;
  }

  /// Updates and returns the recent peak. Called when a page empties or is created.
  long updatePeak() {
    long peak = tally[PEAK];
    peak = Math.max(peak - (peak >> FADE), tally[LIVE]);
    tally[PEAK] = peak;
    return peak;
  }

  /// Returns all pages that have no block in use.
  public void trim() {
    tally[PEAK] = tally[LIVE];
    pages.trim();
  }

  /// Bytes of pages without a block in use. Any thread, approximately.
  public long emptiedBytes() {
    return pages.emptiedBytes();
  }

  // ---- figures ----

  /// Bytes of pages, and of blocks in use that have no page. Any thread.
  public long reserved() {
    return pages.reserved();
  }

  /// Bytes of blocks in use; it may miss the driver's latest changes on other threads.
  public long used() {
    VarHandle.acquireFence();
    long freed = freedElsewhere.bytes();
    return tally[LIVE] - freed + pages.alone();
  }

  /// Bytes of Java heap for the memory of this heap, with one handle for each block in use.
  public long bookkeeping() {
    return pages.bookkeeping() + (tally[BLOCKS] - freedElsewhere.blocks()) * Page.HANDLE_BYTES;
  }
}
