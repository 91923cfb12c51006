package dev.quickwater.http2;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A binary heap of streams, ordered by virtual time and, at equal times, by id; or by id alone.
///
/// - A separate array contains the keys, so a comparison of different keys reads no stream.
/// - Each stream stores its position, so any stream is removed in O(log n).
/// - The key of a stream is read when it is added and by [#increased].
final class StreamHeap {

  private static final int CAPACITY = 8;

  private final byte place;
  private final boolean byId;
  private @Nullable StreamFlow[] heap = new @Nullable StreamFlow[CAPACITY];
  private long[] keys = new long[CAPACITY];
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
      keys = Arrays.copyOf(keys, 2 * size);
    }
    s.place = place;
    up(s, key(s), size++);
  }

  void remove(StreamFlow s) {
    int at = s.heapIndex;
    StreamFlow last = at(--size);
    long key = keys[size];
    heap[size] = null;
    s.place = StreamList.NONE;
    if (last != s) {
      up(last, key, at);
      down(last, key, last.heapIndex);
    }
  }

  /// Restores the order after the virtual time of a stream has increased.
  void increased(StreamFlow s) {
    down(s, key(s), s.heapIndex);
  }

  private long key(StreamFlow s) {
    return byId ? s.id : s.due;
  }

  private StreamFlow at(int index) {
    return Objects.requireNonNull(heap[index]);
  }

  private void up(StreamFlow s, long key, int from) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      long difference = key - keys[parent]; // correct even if the times have overflowed
      if (difference > 0 || difference == 0 && s.id > at(parent).id) {
        break;
      }
      put(at(parent), keys[parent], at);
      at = parent;
    }
    put(s, key, at);
  }

  private void down(StreamFlow s, long key, int from) {
    int at = from;
    int child;
    while ((child = 2 * at + 1) < size) {
      child = firstOf(child);
      long difference = keys[child] - key;
      if (difference > 0 || difference == 0 && at(child).id > s.id) {
        break;
      }
      put(at(child), keys[child], at);
      at = child;
    }
    put(s, key, at);
  }

  /// The index of the child that is sent first: `left` or its sibling.
  private int firstOf(int left) {
    int right = left + 1;
    if (right >= size) {
      return left;
    }
    long difference = keys[right] - keys[left];
    if (difference == 0) {
      return at(right).id < at(left).id ? right : left;
    }
    return left + (int) (difference >>> 63); // a branch would often be mispredicted
  }

  private void put(StreamFlow s, long key, int at) {
    heap[at] = s;
    keys[at] = key;
    s.heapIndex = at;
  }
}
