package dev.quickwater.junit;

import dev.quickwater.common.LeakTracker;

/// Something tracked, as a buffer is.
final class Handle {

  private final LeakTracker.Leak leak = LeakTracker.track(this, "a handle");

  Handle touch(String hint) {
    leak.record(hint);
    return this;
  }

  void release() {
    leak.released();
  }
}
