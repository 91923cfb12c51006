package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// A list of streams in order of arrival. The streams are linked as a ring, in which the last
/// stream precedes the first one, so [#rotate] writes one field. A stream is in at most one list or
/// heap; its `place` has the mark of that list or heap.
final class StreamList {

  /// The `place` of a stream that is in no list and no heap.
  static final byte NONE = 0;

  private final byte place;
  private @Nullable StreamFlow first;
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
    @Nullable StreamFlow head = first;
    if (head == null) {
      first = s;
      s.next = s;
      s.previous = s;
    } else {
      StreamFlow last = head.previous;
      s.next = head;
      s.previous = last;
      last.next = s;
      head.previous = s;
    }
    size++;
  }

  /// Makes the first stream the last one.
  void rotate() {
    if (first != null) {
      first = first.next;
    }
  }

  void remove(StreamFlow s) {
    if (size == 1) {
      first = null;
    } else {
      if (first == s) {
        first = s.next;
      }
      s.previous.next = s.next;
      s.next.previous = s.previous;
    }
    s.previous = s;
    s.next = s;
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
