package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// The heaps that no loop has, for the next loops. They are linked through themselves, so that
/// leaving one allocates nothing. Any thread.
final class Orphans {

  private @Nullable Heap first;

  /// Adds a heap whose loop has left it.
  synchronized void add(Heap heap) {
    heap.nextOrphan = first;
    first = heap;
  }

  /// Removes and returns a heap of one kind of memory, or returns null if there is none.
  synchronized @Nullable Heap poll(boolean nativeMemory) {
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
