package dev.quickwater.common;

/// An element of a ring of the wheel. A single element is an empty ring, of which it is the head.
///
/// Removal needs no head: a timer can leave any ring. Guarded by the lock of its slot.
class WheelLink {

  WheelLink previous = this;
  WheelLink next = this;

  boolean isAlone() {
    return next == this;
  }

  /// Inserts `link`, a single element, before this one: at the end of the ring if this is the head.
  void append(WheelLink link) {
    WheelLink last = previous;
    link.previous = last;
    link.next = this;
    last.next = link;
    previous = link;
  }

  void leave() {
    previous.next = next;
    next.previous = previous;
    previous = this;
    next = this;
  }
}
