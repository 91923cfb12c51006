package dev.quickwater.buffer.allocation;

import org.jspecify.annotations.Nullable;

/// The pages of a heap without a block in use, by their length. Their memory serves any size class
/// and large blocks. Guarded by the driver of the heap; nothing here allocates.
final class EmptyPages {

  /// Large blocks up to this length are kept.
  static final int LARGEST = 1 << 20;

  private static final int LISTS = LARGEST / PageSource.UNIT + 1;

  private final @Nullable Page[] byUnits = new @Nullable Page[LISTS];
  private long bytes;

  static boolean takes(int length) {
    return length <= LARGEST;
  }

  private static int list(int length) {
    return length / PageSource.UNIT;
  }

  long bytes() {
    return bytes;
  }

  void add(Page page) {
    int list = list(page.length());
    page.next = byUnits[list];
    byUnits[list] = page;
    bytes += page.length();
  }

  /// A page of a length, or null. The page stays here until [#remove].
  @Nullable Page peek(int length) {
    return takes(length) ? byUnits[list(length)] : null;
  }

  /// Removes the page that [#peek] returned.
  void remove(Page first) {
    byUnits[list(first.length())] = first.next;
    first.next = null;
    bytes -= first.length();
  }

  /// Removes any page.
  @Nullable Page poll() {
    for (int list = 0; list < LISTS && bytes > 0; list++) {
      @Nullable Page page = byUnits[list];
      if (page != null) {
        remove(page);
        return page;
      }
    }
    return null;
  }
}
