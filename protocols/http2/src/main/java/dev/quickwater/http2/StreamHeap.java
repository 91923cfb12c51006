package dev.quickwater.http2;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A binary heap of streams, ordered by virtual time and, at equal times, by id; or by id alone.
/// Each stream stores its position, so any stream is removed in O(log n).
final class StreamHeap {

  private static final int CAPACITY = 8;

  private final byte place;
  private final boolean byId;
  private @Nullable StreamFlow[] heap = new @Nullable StreamFlow[CAPACITY];
  private int size;

  /// @param place the mark of the streams of this heap, not [StreamList#NONE]
  /// @param byId true for the order of ids, which is the order of requests
  StreamHeap(byte place, boolean byId) {
    this.place = place;
    this.byId = byId;
  }

  @Nullable StreamFlow first() {
    return heap[0];
  }

  int size() {
    return size;
  }

  void add(StreamFlow s) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    s.place = place;
    up(s, size++);
  }

  void remove(StreamFlow s) {
    int at = s.heapIndex;
    StreamFlow last = at(--size);
    heap[size] = null;
    s.place = StreamList.NONE;
    if (last != s) {
      up(last, at);
      down(last, last.heapIndex);
    }
  }

  /// Restores the order after the virtual time of a stream has increased.
  void increased(StreamFlow s) {
    down(s, s.heapIndex);
  }

  private StreamFlow at(int index) {
    return Objects.requireNonNull(heap[index]);
  }

  private boolean before(StreamFlow a, StreamFlow b) {
    // A difference is correct even if the times have overflowed.
    long difference = byId ? 0 : a.due - b.due;
    return difference < 0 || difference == 0 && a.id < b.id;
  }

  private void up(StreamFlow s, int from) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      StreamFlow p = at(parent);
      if (!before(s, p)) {
        break;
      }
      put(p, at);
      at = parent;
    }
    put(s, at);
  }

  private void down(StreamFlow s, int from) {
    int at = from;
    int child;
    while ((child = 2 * at + 1) < size) {
      if (child + 1 < size && before(at(child + 1), at(child))) {
        child++;
      }
      StreamFlow c = at(child);
      if (!before(c, s)) {
        break;
      }
      put(c, at);
      at = child;
    }
    put(s, at);
  }

  private void put(StreamFlow s, int at) {
    heap[at] = s;
    s.heapIndex = at;
  }
}
