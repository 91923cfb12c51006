package dev.quickwater.buffer.allocation;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The pages of a heap, in lists by the state of their blocks, and their exchange with the source.
///
/// - Each size class has a current page, from which the heap takes blocks, and a list of other
///   pages that have blocks free and in use. Full pages are in no list.
/// - Pages without a block in use are in [EmptyPages] and serve all size classes and large blocks.
/// - A block beyond the size classes has a separate page, in no list.
///
/// Guarded by the driver of the heap, except [#takeAlone], [#returnAlone] and the figures.
final class HeapPages {

  /// Bytes of large blocks that the owner keeps for its next requests.
  private static final int SPARE_LARGE = 208 << 10;

  private final Heap heap;
  private final PageSource source;

  /// The page that blocks of a class are taken from, or [Page#NONE]; not in the list below.
  final Page[] current = new Page[SizeClasses.COUNT];

  /// The other pages of a class that have blocks free and in use.
  private final @Nullable Page[] available = new @Nullable Page[SizeClasses.COUNT];

  private final EmptyPages emptied = new EmptyPages();

  /// Bytes of pages of size classes and of empty pages.
  private final AtomicLong bytes = new AtomicLong();

  /// Bytes of large blocks.
  private final AtomicLong alone = new AtomicLong();

  /// Bytes of Java heap that the pages take, with one handle for each large block.
  private final AtomicLong bookkeeping = new AtomicLong();

  HeapPages(Heap heap, PageSource source) {
    this.heap = heap;
    this.source = source;
    Arrays.fill(current, Page.NONE);
  }

  // ---- pages of a class ----

  /// Makes a page with a free or uncut block the current page of a class, whose current page has
  /// none.
  Page nextCurrent(int sizeClass) {
    @Nullable Page next = pollAvailable(sizeClass);
    if (next == null) {
      next = newPageOrFreed(sizeClass);
    }
    if (next != current[sizeClass]) {
      replaceCurrent(sizeClass, next);
    }
    return next;
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
      @Nullable Page other = pollAvailable(sizeClass);
      if (other == null) {
        throw e;
      }
      return other;
    }
  }

  /// A page for a class: an empty page of the same length if there is one. An empty page of another
  /// class is cut again.
  private Page newPage(int sizeClass) {
    heap.updatePeak();
    int length = SizeClasses.pageBytes(sizeClass);
    @Nullable Page page = emptied.peek(length);
    if (page != null) {
      Page cut = page.sizeClass == sizeClass ? page : Page.of(heap, sizeClass).place(page.region());
      emptied.remove(page);
      bookkeeping.addAndGet(cut.heapBytes() - (long) page.heapBytes());
      return cut;
    }
    releaseEmptied(); // other classes may reuse the memory
    page = Page.of(heap, sizeClass);
    page.place(source.take(length, heap));
    bytes.addAndGet(length);
    bookkeeping.addAndGet(page.heapBytes());
    return page;
  }

  /// The previous page is full, unless blocks returned while the new page was created.
  private void replaceCurrent(int sizeClass, Page page) {
    Page previous = current[sizeClass];
    current[sizeClass] = page;
    if (previous.free > 0) {
      if (previous.isEmpty()) {
        emptied.add(previous);
      } else {
        list(previous);
      }
    }
  }

  /// Adds a page that was full to the list of its class.
  void list(Page page) {
    @Nullable Page first = available[page.sizeClass];
    page.previous = null;
    page.next = first;
    if (first != null) {
      first.previous = page;
    }
    available[page.sizeClass] = page;
  }

  private @Nullable Page pollAvailable(int sizeClass) {
    @Nullable Page page = available[sizeClass];
    if (page != null) {
      unlist(page);
    }
    return page;
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

  // ---- pages without a block in use ----

  /// Keeps or returns a page that has just become empty and is not current.
  ///
  /// @param max bytes of pages beyond which the page returns to its source
  void keepEmptied(Page page, long max) {
    if (page.free > 1) { // a page of one block was full and therefore in no list
      unlist(page);
    }
    checkPoison(page);
    if (bytes.get() > max) {
      release(page);
    } else {
      emptied.add(page);
    }
  }

  /// Returns all pages that have no block in use.
  void trim() {
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

  private void releaseEmptied() {
    @Nullable Page page;
    while ((page = emptied.poll()) != null) {
      release(page);
    }
  }

  private void release(Page page) {
    bytes.addAndGet(-page.length());
    bookkeeping.addAndGet(-page.heapBytes());
    source.release(page.region());
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

  // ---- large blocks ----

  /// A page for a large block. An empty page of the same length is reused. Without one, empty pages
  /// return to their source first, so that they do not count in addition to the new block.
  Page takeLarge(int length) {
    @Nullable Page kept = emptied.peek(length);
    if (kept == null) {
      releaseEmptied();
      return takeAlone(length, heap);
    }
    Page page = kept.isAlone() ? kept : Page.alone(heap, length).place(kept.region());
    emptied.remove(kept);
    bytes.addAndGet(-length);
    alone.addAndGet(length);
    bookkeeping.addAndGet(page.heapBytes() - (long) kept.heapBytes() + Page.HANDLE_BYTES);
    return page;
  }

  /// A page for a block that has a separate region. Any thread.
  ///
  /// @param driven the heap, if the caller drives it
  Page takeAlone(int length, @Nullable Heap driven) {
    Page page = Page.alone(heap, length);
    page.place(source.take(length, driven));
    alone.addAndGet(length);
    bookkeeping.addAndGet(page.heapBytes() + Page.HANDLE_BYTES);
    return page;
  }

  /// Keeps the page of a large block that was freed by the driver, or returns the page.
  void keepAlone(Page page) {
    int length = page.length();
    if (!EmptyPages.takes(length) || emptied.bytes() + length > SPARE_LARGE) {
      returnAlone(page);
      return;
    }
    alone.addAndGet(-length);
    bookkeeping.addAndGet(-Page.HANDLE_BYTES);
    bytes.addAndGet(length);
    emptied.add(page);
  }

  /// Returns the page of a large block. Any thread.
  void returnAlone(Page page) {
    alone.addAndGet(-page.length());
    bookkeeping.addAndGet(-page.heapBytes() - (long) Page.HANDLE_BYTES);
    source.release(page.region());
  }

  // ---- figures, for any thread ----

  /// Bytes of pages of size classes, of empty pages, and of large blocks in use.
  long reserved() {
    return bytes.get() + alone.get();
  }

  /// Bytes of large blocks in use.
  long alone() {
    return alone.get();
  }

  /// Bytes of pages without a block in use, approximately.
  long emptiedBytes() {
    return emptied.bytes();
  }

  /// Bytes of Java heap that the pages take, with one handle for each large block.
  long bookkeeping() {
    return bookkeeping.get();
  }
}
