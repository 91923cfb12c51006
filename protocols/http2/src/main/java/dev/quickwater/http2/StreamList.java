package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// A list of streams in order of arrival, linked through the streams. A stream is in at most one
/// list or heap; its `place` has the mark of that list or heap.
final class StreamList {

  /// The `place` of a stream that is in no list and no heap.
  static final byte NONE = 0;

  private final byte place;
  private @Nullable StreamFlow first;
  private @Nullable StreamFlow last;
  private int size;

  /// @param place the mark of the streams of this list, not [#NONE]
  StreamList(byte place) {
    this.place = place;
  }

  @Nullable StreamFlow first() {
    return first;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return first == null;
  }

  boolean contains(StreamFlow s) {
    return s.place == place;
  }

  void addLast(StreamFlow s) {
    s.place = place;
    s.previous = last;
    if (last == null) {
      first = s;
    } else {
      last.next = s;
    }
    last = s;
    size++;
  }

  void remove(StreamFlow s) {
    if (s.previous == null) {
      first = s.next;
    } else {
      s.previous.next = s.next;
    }
    if (s.next == null) {
      last = s.previous;
    } else {
      s.next.previous = s.previous;
    }
    s.previous = null;
    s.next = null;
    s.place = NONE;
    size--;
  }

  /// Removes each stream and sends its empty last frame, including streams that are added during
  /// the call.
  void sendEmpty(Distributor.Sender sender) {
    @Nullable StreamFlow s;
    while ((s = first) != null) {
      remove(s);
      sender.send(s, 0);
    }
  }
}
