package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// The dynamic table of a decoder (RFC 7541 section 2.3.2): a ring, newest entry first.
final class DynamicTable {

  private static final int FIRST_LENGTH = 16;

  private static final @Nullable TableEntry[] EMPTY = {};

  private @Nullable TableEntry[] ring = EMPTY;

  /// The index in the ring of the next entry.
  private int next;

  private int count;
  private int size;
  private int maxSize;

  /// An empty table.
  ///
  /// @param maxSize bytes, counted as in [TableEntry#size]
  DynamicTable(int maxSize) {
    this.maxSize = maxSize;
  }

  int count() {
    return count;
  }

  int size() {
    return size;
  }

  int maxSize() {
    return maxSize;
  }

  /// The entry of an index, 0 for the newest, below [#count].
  TableEntry get(int index) {
    @Nullable TableEntry entry = ring[next - 1 - index & ring.length - 1];
    if (entry == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return entry;
  }

  /// Adds an entry, after eviction of the oldest ones. An entry that is larger than the table
  /// empties it (section 4.4).
  void add(TableEntry entry) {
    int more = entry.size();
    evictTo(maxSize - more);
    if (more > maxSize) {
      return;
    }
    if (count == ring.length) {
      grow();
    }
    ring[next] = entry;
    next = next + 1 & ring.length - 1;
    count++;
    size += more;
  }

  /// Changes the maximum size, and evicts entries that exceed it (section 4.3).
  void setMaxSize(int bytes) {
    maxSize = bytes;
    evictTo(bytes);
  }

  private void evictTo(int bytes) {
    while (size > bytes && count > 0) {
      int oldest = next - count & ring.length - 1;
      size -= get(count - 1).size();
      ring[oldest] = null;
      count--;
    }
  }

  private void grow() {
    @Nullable TableEntry[] larger =
        new @Nullable TableEntry[Math.max(FIRST_LENGTH, 2 * ring.length)];
    for (int i = 0; i < count; i++) {
      larger[i] = get(count - 1 - i);
    }
    ring = larger;
    next = count;
  }
}
