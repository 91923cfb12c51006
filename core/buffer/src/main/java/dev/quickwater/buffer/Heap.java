package dev.quickwater.buffer;

import dev.quickwater.common.LeakTracker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Blocks of all size classes, taken by the driver of the heap and freed by any thread.
///
/// - **The driver** is the loop thread that has attached the heap and holds its lock until it
///   detaches, or a thread that holds the lock briefly: one that shares the heap, or one that frees
///   into an abandoned heap. All methods except [#free], [#takeAlone] and the metrics are for the
///   driver, unless their docs name any thread.
/// - [#take] takes a block of the current page of the class. Its only atomic operation is on the
///   count of the block.
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
final class Heap {

  /// So much memory freed elsewhere is worth waking a loop that sleeps.
  static final int WAKE_BYTES = 1 << 20;

  /// Pages beyond the recent peak that are kept in any case.
  private static final int SPARE = 64 << 10;

  /// Bytes of large blocks that the owner keeps for its next requests.
  private static final int SPARE_LARGE = 208 << 10;

  /// The recent peak falls by this power of two of itself with each page that empties or is made:
  /// by a tenth in a hundred pages.
  private static final int FADE = 10;

  private static final VarHandle FREED_PAGES = MethodHandles.arrayElementVarHandle(Page[].class);
  private static final VarHandle FREED_BYTES = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle LOCK;

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
  private final @Nullable Page[] available = new @Nullable Page[SizeClasses.COUNT];

  private final EmptyPages emptied = new EmptyPages();

  /// The one thread whose frees are local; null while no thread has attached the heap. Only that
  /// thread sets and clears this field, so a plain read tells the owner from other threads.
  private @Nullable Thread owner;

  private @Nullable Runnable waker;
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

  /// What the driver writes at every step, with room around it: in one cache line with what other
  /// threads read, that line would go to and fro between processors.
  private final long[] tally = new long[24];

  /// In [#tally]: bytes of blocks in use, including blocks that other threads have freed.
  private static final int LIVE = 8;

  /// In [#tally]: the most bytes of blocks in use, fading.
  private static final int PEAK = 9;

  /// In [#tally]: handles made so far.
  private static final int HANDLES = 10;

  /// In [#tally]: blocks in use, including blocks that other threads have freed.
  private static final int BLOCKS = 11;

  private final AtomicLong pageBytes = new AtomicLong();

  /// Bytes of Java heap that the pages take.
  private final AtomicLong bookkeeping = new AtomicLong();

  private final AtomicLong alone = new AtomicLong();

  private static final int MIDDLE = 32;

  /// Pages with blocks that other threads have freed, as a list in the middle of an array for the
  /// same reason as [#tally]. The bytes of those blocks are in [#freedBytes].
  private final @Nullable Page[] freedPages = new @Nullable Page[2 * MIDDLE];

  private final long[] freedBytes = new long[MIDDLE];

  Heap(boolean nativeMemory) {
    this(nativeMemory, PageSource.of(nativeMemory));
  }

  /// A heap whose pages come from `source`.
  Heap(boolean nativeMemory, PageSource source) {
    this.nativeMemory = nativeMemory;
    this.pooled = source != UnpooledArrays.IT;
    this.source = source;
    Arrays.fill(current, Page.NONE);
  }

  /// A heap of arrays in which every block has a separate array. Any thread may take blocks, and
  /// the heap has no driver.
  static Heap unpooled() {
    return new Heap(false, UnpooledArrays.IT);
  }

  // ---- who drives ----

  boolean tryLock() {
    return !locked && LOCK.compareAndSet(this, false, true);
  }

  /// Blocks freed into a shared heap during the lock wait for its next driver. In an abandoned
  /// heap, the store must precede the check in [#collectAbandoned].
  void unlock() {
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
  void attach(Thread thread, @Nullable Runnable wake) {
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
    owner = thread;
  }

  /// Abandons the heap; empty pages return to their source.
  void detach() {
    try {
      collect();
      trim();
    } finally {
      probe = null;
      waker = null;
      if (outbox != null) {
        outbox = null;
        Outbox.close();
      }
      owner = null;
      abandoned = true;
      unlock();
      collectAbandoned();
    }
  }

  /// Collects an abandoned heap, which has no driver: each thread that frees into it also collects.
  /// The holder of the lock checks once more after unlocking, because a block may have been freed
  /// in between.
  void collectAbandoned() {
    while (abandoned && firstFreedPage() != null && tryLock()) {
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

  /// A new buffer in a block that has room for `room` bytes.
  ByteBuf allocate(int room, int capacity, int maxCapacity) {
    ByteBuf buffer = newHandle(maxCapacity);
    boolean taken = false;
    try {
      take(room, buffer, capacity);
      taken = true;
    } finally {
      if (!taken) {
        buffer.untrack();
      }
    }
    return buffer;
  }

  /// A handle without memory. It is created and tracked before memory is taken for it, because
  /// tracking reports leaks to listeners, which may allocate as well.
  ByteBuf newHandle(int maxCapacity) {
    return new ByteBuf(
        maxCapacity, LeakTracker.samples((int) tally[HANDLES]++) ? "a buffer" : null);
  }

  /// Opens a handle, as the only holder, on a block that has room for `room` bytes.
  void take(int room, ByteBuf handle, int capacity) {
    if (probe != null) {
      probe.run();
    }
    int sizeClass = SizeClasses.of(room);
    if (sizeClass >= SizeClasses.COUNT || !pooled) {
      takeLarge(room, handle, capacity);
      return;
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
    handle.open(page, page.addressOf(index), capacity);
  }

  /// Opens a handle on a block for a buffer of this heap that grows. Any thread.
  void takeLarger(int capacity, ByteBuf handle) {
    if (!pooled) {
      takeAlone(capacity, handle, capacity);
      return;
    }
    int room = aligned(capacity);
    if (isOwnedByCaller()) {
      take(room, handle, capacity);
    } else {
      SharedAllocator.of(nativeMemory).take(room, handle, capacity);
    }
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
    @Nullable Page other = available[sizeClass];
    if (other == null) {
      other = newPageOrFreed(sizeClass);
    } else {
      unlist(other);
    }
    if (other != current[sizeClass]) {
      replaceCurrent(sizeClass, other);
    }
    return other;
  }

  /// A new page. If there is no memory for one, a page that got blocks back while the request was
  /// waiting for memory.
  private Page newPageOrFreed(int sizeClass) {
    try {
      return newPage(sizeClass);
    } catch (OutOfMemoryError e) {
      if (current[sizeClass].free > 0) {
        return current[sizeClass];
      }
      @Nullable Page other = available[sizeClass];
      if (other == null) {
        throw e;
      }
      unlist(other);
      return other;
    }
  }

  /// The page before is full, unless blocks came back while the new one was made.
  private void replaceCurrent(int sizeClass, Page page) {
    Page before = current[sizeClass];
    current[sizeClass] = page;
    if (before.free > 0) {
      if (before.isEmpty()) {
        emptied.add(before);
      } else {
        list(before);
      }
    }
  }

  private int cut(Page page) {
    int index = page.cut();
    if (Poison.ON) {
      Poison.fill(page, index);
    }
    return index;
  }

  /// A page for a class: an empty one of the same length if there is one, cut anew if it was of
  /// another class.
  private Page newPage(int sizeClass) {
    recentPeak();
    int bytes = SizeClasses.pageBytes(sizeClass);
    @Nullable Page page = emptied.peek(bytes);
    if (page != null) {
      Page cut = page.sizeClass == sizeClass ? page : Page.of(this, sizeClass).place(page.region());
      emptied.remove(page);
      bookkeeping.addAndGet(cut.heapBytes() - (long) page.heapBytes());
      return cut;
    }
    releaseEmptied(); // other classes may reuse the memory
    page = Page.of(this, sizeClass);
    page.place(source.take(bytes, this));
    pageBytes.addAndGet(bytes);
    bookkeeping.addAndGet(page.heapBytes());
    return page;
  }

  /// A block beyond the size classes. An empty page of the same length is reused. Without one,
  /// empty pages return to their source first, so that they do not count in addition to the new
  /// block.
  private void takeLarge(int room, ByteBuf handle, int capacity) {
    if (!pooled) {
      takeAlone(room, handle, capacity);
      return;
    }
    int bytes = PageSource.roundUp(room);
    @Nullable Page kept = emptied.peek(bytes);
    if (kept == null) {
      releaseEmptied();
      takeAlone(bytes, handle, capacity, this);
      return;
    }
    Page page = kept.isAlone() ? kept : Page.alone(this, bytes).place(kept.region());
    emptied.remove(kept);
    pageBytes.addAndGet(-bytes);
    alone.addAndGet(bytes);
    bookkeeping.addAndGet(page.heapBytes() - (long) kept.heapBytes() + ByteBuf.HEAP_BYTES);
    MemoryEvents.huge(nativeMemory, bytes);
    page.revive(0);
    handle.open(page, page.addressOf(0), capacity);
  }

  /// Opens a handle on a block that has a separate region. Any thread.
  void takeAlone(int room, ByteBuf handle, int capacity) {
    takeAlone(pooled ? PageSource.roundUp(room) : Math.max(1, room), handle, capacity, null);
  }

  private void takeAlone(int bytes, ByteBuf handle, int capacity, @Nullable Heap driven) {
    Page page = Page.alone(this, bytes);
    page.place(source.take(bytes, driven));
    alone.addAndGet(page.length());
    bookkeeping.addAndGet(page.heapBytes() + ByteBuf.HEAP_BYTES);
    if (bytes > SizeClasses.LARGEST_POOLED) {
      MemoryEvents.huge(nativeMemory, bytes);
    }
    page.revive(0);
    handle.open(page, page.addressOf(0), capacity);
  }

  // ---- giving back ----

  /// Takes a block back that has just died. Any thread.
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
    int bytes = page.length();
    alone.addAndGet(-bytes);
    bookkeeping.addAndGet(-ByteBuf.HEAP_BYTES);
    if (pooled
        && isOwnedByCaller()
        && EmptyPages.takes(bytes)
        && emptied.bytes() + bytes <= SPARE_LARGE) {
      pageBytes.addAndGet(bytes);
      emptied.add(page);
    } else {
      bookkeeping.addAndGet(-page.heapBytes());
      source.give(page.region());
    }
  }

  private void freeHere(Page page, int index) {
    tally[LIVE] -= page.blockSize;
    tally[BLOCKS]--;
    page.push(index);
    if ((page.free == 1 || page.isEmpty()) && page != current[page.sizeClass]) {
      relist(page);
    }
  }

  private void freeElsewhere(Page page, int index) {
    @Nullable Outbox callers = owner == null ? null : Outbox.ofCaller();
    if (callers != null) {
      callers.add(this, page, index);
      return;
    }
    if (owner == null && tryLock()) {
      try {
        freeHere(page, index);
        if (abandoned) {
          trim();
        }
      } finally {
        unlock();
      }
    } else {
      freeRemotely(page, index);
    }
    if (abandoned) {
      collectAbandoned();
    }
  }

  private void freeRemotely(Page page, int index) {
    long before = countFreed(page.blockSize);
    if (page.freeRemotely(index, index, 1)) {
      list(page, freedPages);
    }
    wakeAt(before, page.blockSize);
  }

  /// Frees blocks that another loop has gathered. Any thread.
  void freeRemotely(@Nullable Page[] pages, char[] blocks, int count) {
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += page(pages, i).blockSize;
    }
    long before = countFreed(bytes);
    for (int i = 0; i < count; ) {
      Page page = page(pages, i);
      char first = blocks[i];
      char last = first;
      int begin = i;
      for (i++; i < count && pages[i] == page; i++) {
        page.link(blocks[i], first);
        first = blocks[i];
      }
      if (page.freeRemotely(first, last, i - begin)) {
        list(page, freedPages);
      }
    }
    Arrays.fill(pages, 0, count, null); // before the waker, which may release a buffer
    wakeAt(before, bytes);
    if (abandoned) {
      collectAbandoned();
    }
  }

  @SuppressWarnings("NullAway") // the elements below the count are set
  private static Page page(@Nullable Page[] pages, int index) {
    return pages[index];
  }

  private long countFreed(long bytes) {
    return (long) FREED_BYTES.getAndAdd(freedBytes, MIDDLE / 2, bytes);
  }

  private void wakeAt(long before, long bytes) {
    if (before < WAKE_BYTES && before + bytes >= WAKE_BYTES) {
      wakeUp();
    }
  }

  /// Adds a page to the list of pages with blocks that other threads have freed.
  private static void list(Page page, @Nullable Page[] freedPages) {
    @Nullable Page first;
    do {
      first = (Page) FREED_PAGES.getVolatile(freedPages, MIDDLE);
      page.nextFreed = first;
    } while (!FREED_PAGES.compareAndSet(freedPages, MIDDLE, first, page));
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

  private @Nullable Page firstFreedPage() {
    return (Page) FREED_PAGES.getVolatile(freedPages, MIDDLE);
  }

  /// Collects the blocks that other threads have freed, and trims if another thread has requested
  /// memory.
  void collect() {
    publishFreed();
    if (firstFreedPage() != null) {
      collectFreed();
    }
    if (trimRequested) {
      reclaim();
    }
  }

  /// Publishes the blocks of other heaps that the owner has freed.
  void publishFreed() {
    if (outbox != null) {
      outbox.publish();
    }
  }

  private void collectFreed() {
    @Nullable RuntimeException failure = null;
    @Nullable Page page = (Page) FREED_PAGES.getAndSet(freedPages, MIDDLE, (Page) null);
    long collected = 0;
    while (page != null) {
      // This precedes taking the list of the page: afterwards, another thread may add the page to
      // the list of the heap again.
      @Nullable Page next = page.nextFreed;
      page.nextFreed = null;
      int list = page.takeFreed();
      int index = Page.firstOf(list);
      for (int left = Page.countOf(list); left > 0; left--) {
        int following = page.following(index);
        collected += page.blockSize;
        try {
          freeHere(page, index);
        } catch (IllegalStateException e) { // from Poison; the other blocks are still freed
          failure = e;
        }
        index = following;
      }
      page = next;
    }
    FREED_BYTES.getAndAdd(freedBytes, MIDDLE / 2, -collected);
    if (failure != null) {
      throw failure;
    }
  }

  // ---- memory shortage ----

  /// Collects and trims. The request is cleared last: the thread that waits for it then finds the
  /// memory. Called by the driver.
  void reclaim() {
    collectFreed();
    trim();
    trimRequested = false;
  }

  /// Asks another thread that drives the heap, a loop or the holder of the lock, to trim it. Any
  /// thread.
  void requestTrim() {
    if (!isOwnedByCaller() && isDriven()) {
      trimRequested = true;
      wakeUp();
    }
  }

  private boolean isDriven() {
    return owner != null || locked;
  }

  /// True while a driver has not done what [#requestTrim] asked for.
  boolean isTrimDue() {
    return trimRequested && isDriven();
  }

  /// True if another thread has requested a trim; costs one load.
  boolean isTrimRequested() {
    return trimRequested;
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
    long peak = recentPeak();
    if (pageBytes.get() > peak + (peak >> 3) + SPARE) {
      release(page);
    } else {
      emptied.add(page);
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

  private void releaseEmptied() {
    @Nullable Page page;
    while ((page = emptied.poll()) != null) {
      release(page);
    }
  }

  private void release(Page page) {
    pageBytes.addAndGet(-page.length());
    bookkeeping.addAndGet(-page.heapBytes());
    source.give(page.region());
  }

  private static void checkPoison(Page page) {
    if (Poison.ON) {
      int index = page.firstFree();
      for (int left = page.free; left > 0; left--) {
        Poison.check(page, index);
        index = page.following(index);
      }
    }
  }

  /// Returns all pages that have no block in use.
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

  /// Bytes of pages without a block in use. Any thread, approximately.
  long emptiedBytes() {
    return emptied.bytes();
  }

  /// True when [#trim] would find something, going by [#emptied].
  boolean hasEmptyPages() {
    return emptied.bytes() > 0;
  }

  // ---- figures ----

  /// Bytes of pages, and of blocks in use that have no page. Any thread.
  long reserved() {
    return pageBytes.get() + alone.get();
  }

  /// Bytes of blocks in use; it may miss the driver's latest changes on other threads.
  long used() {
    VarHandle.acquireFence();
    long freed = (long) FREED_BYTES.getVolatile(freedBytes, MIDDLE / 2);
    return tally[LIVE] - freed + alone.get();
  }

  /// Bytes of Java heap for the memory of this heap, with one handle for each block in use.
  long bookkeeping() {
    return bookkeeping.get() + tally[BLOCKS] * ByteBuf.HEAP_BYTES;
  }

  /// The metrics of this heap. Any thread.
  AllocatorMetrics metrics() {
    return new AllocatorMetrics(nativeMemory, used(), reserved(), bookkeeping());
  }
}
