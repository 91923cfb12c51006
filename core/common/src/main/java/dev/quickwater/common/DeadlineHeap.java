package dev.quickwater.common;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A binary min-heap of timers in which every timer knows its place.
///
/// Adding, taking the first and removing any one are O(log n), and a removed timer is gone at once:
/// a cancelled task is not kept until its time. Equal deadlines leave in the order of their
/// arrival. One thread only.
final class DeadlineHeap {

  private Timer[] heap = new Timer[16];
  private int size;

  int size() {
    return size;
  }

  @Nullable Timer first() {
    return size == 0 ? null : heap[0];
  }

  void add(Timer timer) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    up(size++, timer);
  }

  void remove(Timer timer) {
    int hole = timer.heapIndex;
    timer.heapIndex = Timer.OUT;
    Timer last = heap[--size];
    clear(size);
    if (last != timer) {
      up(hole, last);
      if (last.heapIndex == hole) {
        down(hole, last);
      }
    }
  }

  @SuppressWarnings("NullAway") // slots at and beyond size are never read
  private void clear(int slot) {
    heap[slot] = null;
  }

  private void up(int slot, Timer timer) {
    int hole = slot;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      Timer other = heap[parent];
      if (!timer.before(other)) {
        break;
      }
      place(hole, other);
      hole = parent;
    }
    place(hole, timer);
  }

  private void down(int slot, Timer timer) {
    int hole = slot;
    int half = size >>> 1;
    while (hole < half) {
      int child = 2 * hole + 1;
      if (child + 1 < size && heap[child + 1].before(heap[child])) {
        child++;
      }
      if (!heap[child].before(timer)) {
        break;
      }
      place(hole, heap[child]);
      hole = child;
    }
    place(hole, timer);
  }

  private void place(int slot, Timer timer) {
    heap[slot] = timer;
    timer.heapIndex = slot;
  }
}
