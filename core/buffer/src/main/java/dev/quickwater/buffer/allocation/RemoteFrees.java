package dev.quickwater.buffer.allocation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The blocks of a heap that other threads have freed and its driver has not collected: the pages
/// with such blocks, and the sum of the blocks.
///
/// Both are elements in the middle of arrays, because they must not share a cache line with fields
/// that the driver writes at every step: that would slow down the driver and the other threads.
final class RemoteFrees {

  private static final int MIDDLE = 32;

  /// The sum counts memory in steps of the size classes, in its lower bits: up to a terabyte.
  private static final int BLOCKS_SHIFT = 36;

  private static final long STEPS = (1L << BLOCKS_SHIFT) - 1;

  private static final VarHandle PAGES = MethodHandles.arrayElementVarHandle(Page[].class);
  private static final VarHandle SUM = MethodHandles.arrayElementVarHandle(long[].class);

  /// The first page of the list, which is linked by [Page#nextFreed].
  private final @Nullable Page[] pages = new @Nullable Page[2 * MIDDLE];

  /// The number of blocks in the upper bits and their memory in the lower bits.
  private final long[] sum = new long[MIDDLE];

  /// The part of the sum that is one block of a page.
  private static long summand(Page page) {
    return 1L << BLOCKS_SHIFT | page.blockSize / SizeClasses.STEP;
  }

  private static long bytes(long sum) {
    return (sum & STEPS) * SizeClasses.STEP;
  }

  // ---- any thread ----

  /// Adds a block.
  ///
  /// @return true if the blocks have just exceeded [Heap#WAKE_BYTES]: the caller wakes the driver
  boolean add(Page page, int block) {
    boolean exceeded = count(summand(page));
    if (page.freeRemotely(block, block, 1)) {
      list(page);
    }
    return exceeded;
  }

  /// Adds blocks, of which those of one page are adjacent, and clears the array of their pages.
  ///
  /// @return true if the blocks have just exceeded [Heap#WAKE_BYTES]: the caller wakes the driver
  boolean add(@Nullable Page[] pages, char[] blocks, int count) {
    long added = 0;
    for (int i = 0; i < count; i++) {
      added += summand(page(pages, i));
    }
    boolean exceeded = count(added);
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
        list(page);
      }
    }
    Arrays.fill(pages, 0, count, null);
    return exceeded;
  }

  @SuppressWarnings("NullAway") // the elements below the count are set
  private static Page page(@Nullable Page[] pages, int index) {
    return pages[index];
  }

  /// Counts blocks before they are added, so that the sum never falls below zero.
  private boolean count(long summands) {
    long before = bytes((long) SUM.getAndAdd(sum, MIDDLE / 2, summands));
    return before < Heap.WAKE_BYTES && before + bytes(summands) >= Heap.WAKE_BYTES;
  }

  private void list(Page page) {
    @Nullable Page first;
    do {
      first = first();
      page.nextFreed = first;
    } while (!PAGES.compareAndSet(pages, MIDDLE, first, page));
  }

  private @Nullable Page first() {
    return (Page) PAGES.getVolatile(pages, MIDDLE);
  }

  boolean isEmpty() {
    return first() == null;
  }

  /// Bytes of all blocks.
  long bytes() {
    return bytes((long) SUM.getVolatile(sum, MIDDLE / 2));
  }

  /// The number of all blocks.
  long blocks() {
    return (long) SUM.getVolatile(sum, MIDDLE / 2) >>> BLOCKS_SHIFT;
  }

  // ---- the driver ----

  /// Removes all blocks and frees them in their heap.
  ///
  /// @throws IllegalStateException from [Poison], after all blocks were freed
  void collect(Heap heap) {
    @Nullable IllegalStateException failure = null;
    @Nullable Page page = (Page) PAGES.getAndSet(pages, MIDDLE, (Page) null);
    long collected = 0;
    while (page != null) {
      // Clear the link before taking the blocks of the page: afterwards, another thread may add the
      // page to the list of the heap again and set the link.
      @Nullable Page next = page.nextFreed;
      page.nextFreed = null;
      int list = page.takeFreed();
      int index = Page.firstOf(list);
      collected += summand(page) * Page.countOf(list);
      for (int left = Page.countOf(list); left > 0; left--) {
        int following = page.following(index);
        try {
          heap.freeHere(page, index);
        } catch (IllegalStateException e) {
          failure = e;
        }
        index = following;
      }
      page = next;
    }
    SUM.getAndAdd(sum, MIDDLE / 2, -collected);
    if (failure != null) {
      throw failure;
    }
  }
}
