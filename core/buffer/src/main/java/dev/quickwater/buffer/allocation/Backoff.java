package dev.quickwater.buffer.allocation;

import java.util.concurrent.locks.LockSupport;

/// Waits for a lock that is held for nanoseconds, or sometimes for a system call.
///
/// A virtual thread that only yields may resume on its carrier each time, so that the holder of the
/// lock, which needs the same carrier, never runs. The waiting thread therefore parks after a few
/// tries.
public final class Backoff {

  private static final int YIELDS = 16;
  private static final long REST_NANOS = 50_000;

  private Backoff() {}

  /// Waits before the next try.
  ///
  /// @param tries the number of tries so far
  /// @return true if the thread was interrupted. Its interrupt status is cleared, because an
  ///   interrupted thread does not park. The caller sets the status again when it has the lock
  public static boolean pause(int tries) {
    if (tries < YIELDS) {
      Thread.yield();
      return false;
    }
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(REST_NANOS);
    return interrupted;
  }
}
