package dev.quickwater.common;

import java.lang.ref.WeakReference;
import java.util.List;

/// Makes tracked handles unreachable and waits until the tracker says so.
final class Leaking {

  private Leaking() {}

  static WeakReference<Object> drop(String what, boolean release, Object... hints) {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, what);
    for (Object hint : hints) {
      leak.record(hint);
    }
    if (release) {
      leak.released();
    }
    return new WeakReference<>(handle);
  }

  /// The collector enqueues references some time after it has cleared them, so this asks until the
  /// reports are there.
  static void collect(WeakReference<Object> dropped, List<?> reports, int expected) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while ((dropped.get() != null || reports.size() < expected) && System.nanoTime() < deadline) {
      System.gc();
      LeakTracker.reportUnreachable();
    }
  }
}
