package dev.quickwater.buffer;

import java.util.concurrent.locks.LockSupport;

/// How to wait for a lock that is held for nanoseconds, and now and then for a system call.
///
/// A virtual thread that only yields may come back to its carrier again and again, and keep the
/// holder from it which waits to go on there: after a few tries it rests.
final class Backoff {

  private static final int YIELDS = 16;
  private static final long REST_NANOS = 50_000;

  private Backoff() {}

  /// Waits before the next try.
  ///
  /// @param tries how often it was tried
  /// @return true if the thread was interrupted, which is put aside: it would not rest again. The
  ///   caller interrupts it anew when it has the lock; before, that would spare it the next rest
  static boolean pause(int tries) {
    if (tries < YIELDS) {
      Thread.yield();
      return false;
    }
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(REST_NANOS);
    return interrupted;
  }
}
