package dev.quickwater.common;

/// A place in a ring of the wheel: alone it is an empty ring, of which it is the head.
///
/// Leaving needs no head, so a timer can be taken out of whichever ring it is in. Under the lock of
/// its slot.
class WheelLink {

  WheelLink previous = this;
  WheelLink next = this;

  boolean isAlone() {
    return next == this;
  }

  /// Puts `link`, which is alone, before this one: at the end of the ring whose head this is.
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
