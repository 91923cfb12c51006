package dev.quickwater.common;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
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

  /// Tracks a handle that does not leak, which also reports leaks that were found.
  static void trackAndRelease() {
    Object handle = new Object();
    LeakTracker.track(handle, "a handle that is released").released();
    Reference.reachabilityFence(handle);
  }

  /// Leaks a handle and waits until the garbage collector has found it.
  static void dropAndFind(ReferenceQueue<Object> found) {
    Reference<Object> dropped = dropInto(found);
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (found.poll() == null && System.nanoTime() < deadline) {
      System.gc();
    }
    Reference.reachabilityFence(dropped);
  }

  private static Reference<Object> dropInto(ReferenceQueue<Object> found) {
    Object handle = new Object();
    LeakTracker.track(handle, "a handle dropped by a listener");
    return new PhantomReference<>(handle, found);
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
