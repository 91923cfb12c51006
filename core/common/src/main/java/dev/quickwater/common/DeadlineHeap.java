package dev.quickwater.common;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A min-heap of timers in which each timer stores its index.
///
/// Adding a timer, taking the first and removing any other are O(log n). A cancelled timer is
/// removed at once, not at its deadline. Equal deadlines leave in the order of their arrival. One
/// thread only.
///
/// Each place has four children, and the keys are in a separate array: a step down the heap reads
/// about one cache line, and no timer.
final class DeadlineHeap {

  private static final int CHILDREN_SHIFT = 2;
  private static final int CHILDREN = 1 << CHILDREN_SHIFT;

  private HeapTimer[] heap = new HeapTimer[16];

  /// The deadline of each place, followed by the number of its arrival.
  private long[] keys = new long[32];

  private int size;
  private long arrivals;

  int size() {
    return size;
  }

  @Nullable HeapTimer first() {
    return size == 0 ? null : heap[0];
  }

  /// The deadline of the first; there must be one.
  long firstDeadline() {
    return keys[0];
  }

  /// How many came before the first; there must be one.
  long firstArrival() {
    return keys[1];
  }

  /// How many have come so far.
  long arrivals() {
    return arrivals;
  }

  void add(HeapTimer timer, long deadline) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
      keys = Arrays.copyOf(keys, size * 4);
    }
    up(size++, timer, deadline, arrivals++);
  }

  void remove(HeapTimer timer) {
    int hole = timer.heapIndex;
    timer.heapIndex = HeapTimer.OUT;
    int last = --size;
    HeapTimer moved = heap[last];
    clear(last);
    if (hole != last) {
      long deadline = keys[2 * last];
      long arrival = keys[2 * last + 1];
      int parent = (hole - 1) >> CHILDREN_SHIFT;
      if (hole > 0 && isBefore(deadline, arrival, keys, parent)) {
        up(hole, moved, deadline, arrival);
      } else {
        down(hole, moved, deadline, arrival);
      }
    }
  }

  @SuppressWarnings("NullAway") // places at and beyond size are never read
  private void clear(int place) {
    heap[place] = null;
  }

  private static boolean isBefore(long deadline, long arrival, long[] keys, int place) {
    long difference = deadline - keys[2 * place];
    return difference < 0 || (difference == 0 && arrival < keys[2 * place + 1]);
  }

  private void up(int place, HeapTimer timer, long deadline, long arrival) {
    long[] keys = this.keys;
    int hole = place;
    while (hole > 0) {
      int parent = (hole - 1) >> CHILDREN_SHIFT;
      if (!isBefore(deadline, arrival, keys, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, timer, deadline, arrival);
  }

  private void down(int place, HeapTimer timer, long deadline, long arrival) {
    long[] keys = this.keys;
    int size = this.size;
    int hole = place;
    while (true) {
      int child = (hole << CHILDREN_SHIFT) + 1;
      if (child >= size) {
        break;
      }
      int first = child;
      for (int end = Math.min(child + CHILDREN, size); ++child < end; ) {
        if (isBefore(keys[2 * child], keys[2 * child + 1], keys, first)) {
          first = child;
        }
      }
      if (isBefore(deadline, arrival, keys, first)) {
        break;
      }
      move(first, hole);
      hole = first;
    }
    put(hole, timer, deadline, arrival);
  }

  private void move(int from, int to) {
    put(to, heap[from], keys[2 * from], keys[2 * from + 1]);
  }

  private void put(int place, HeapTimer timer, long deadline, long arrival) {
    keys[2 * place] = deadline;
    keys[2 * place + 1] = arrival;
    heap[place] = timer;
    timer.heapIndex = place;
  }
}
