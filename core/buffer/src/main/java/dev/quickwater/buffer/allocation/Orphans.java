package dev.quickwater.buffer.allocation;

import org.jspecify.annotations.Nullable;

/// Heaps whose loops have ended, kept for the next loops. The list is linked through the heaps, so
/// adding one allocates nothing. Any thread.
public final class Orphans {

  private @Nullable Heap first;

  /// Adds a heap whose loop has detached.
  public synchronized void add(Heap heap) {
    heap.nextOrphan = first;
    first = heap;
  }

  /// Removes and returns a heap of one kind of memory, or returns null if there is none.
  public synchronized @Nullable Heap poll(boolean nativeMemory) {
    @Nullable Heap before = null;
    for (Heap heap = first; heap != null; heap = heap.nextOrphan) {
      if (heap.isNative() == nativeMemory) {
        if (before == null) {
          first = heap.nextOrphan;
        } else {
          before.nextOrphan = heap.nextOrphan;
        }
        heap.nextOrphan = null;
        return heap;
      }
      before = heap;
    }
    return null;
  }
}
