package dev.quickwater.buffer;

import dev.quickwater.system.Settings;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Counts what all sources together have reserved, native memory and arrays, and refuses to exceed
/// the limit of the process.
///
/// **A refusal means that the memory is in use.** Before it refuses, it trims the sources, the
/// heaps that the caller drives or can lock, and asks the loops that own the others to trim theirs,
/// for which it waits up to [#PATIENCE_NANOS]. A thread that was refused a moment ago does not wait
/// again: otherwise a process at its limit would do nothing but wait.
final class MemoryLimit {

  static final long PATIENCE_NANOS = 20_000_000;

  private static final long REST_NANOS = 100_000;

  /// After a refusal this long no thread waits.
  private static final long IMPATIENT_NANOS = 500_000_000;

  private static final AtomicLong RESERVED = new AtomicLong();

  /// When a thread was refused last, by [System#nanoTime], and whether one was.
  private static volatile long refusedAt;

  private static volatile boolean refused;

  private MemoryLimit() {}

  /// Bytes reserved by all.
  static long reserved() {
    return RESERVED.get();
  }

  /// Counts `bytes` more. Called without a source's lock, because it may trim the sources first.
  ///
  /// @param driven a heap that the caller drives
  /// @throws OutOfMemoryError over the limit, even without what was not in use; nothing is counted
  ///   then
  static void reserve(long bytes, @Nullable Heap driven) {
    if (!tryReserve(bytes) && !reserveAfterTrimming(bytes, driven)) {
      throw new OutOfMemoryError(
          "buffers hold "
              + reserved()
              + " bytes, native memory and arrays together, and need "
              + bytes
              + " more; the limit is "
              + Settings.BUFFER_LIMIT
              + " (-Ddev.quickwater.bufferLimit)");
    }
  }

  private static boolean reserveAfterTrimming(long bytes, @Nullable Heap driven) {
    if (bytes > Settings.BUFFER_LIMIT) {
      return false;
    }
    trim(driven);
    if (tryReserve(bytes)) {
      return true;
    }
    long now = System.nanoTime();
    if (refused && now - refusedAt < IMPATIENT_NANOS) {
      return false;
    }
    boolean reserved = waitForOthers(bytes, now + PATIENCE_NANOS);
    if (!reserved) {
      refusedAt = System.nanoTime();
      refused = true;
    }
    return reserved;
  }

  private static void trim(@Nullable Heap driven) {
    Heaps.trim(driven);
    NativePages.IT.trim();
    ArrayPages.IT.trim();
  }

  /// What loops return is idle at first, and what a thread is returning to the system still counts.
  private static boolean waitForOthers(long bytes, long deadline) {
    Heaps.askOthers();
    boolean interrupted = false;
    try {
      while (Heaps.isAnswerDue() || NativePages.IT.isReturning()) {
        if (System.nanoTime() - deadline >= 0) {
          break;
        }
        interrupted |= Thread.interrupted(); // an interrupted thread does not rest
        LockSupport.parkNanos(REST_NANOS);
        NativePages.IT.trim();
        ArrayPages.IT.trim();
        if (tryReserve(bytes)) {
          return true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    NativePages.IT.trim();
    ArrayPages.IT.trim();
    return tryReserve(bytes);
  }

  /// Compares before it counts: adding what does not fit, if only for a moment, would have the
  /// requests of others refused.
  private static boolean tryReserve(long bytes) {
    while (true) {
      long before = RESERVED.get();
      if (bytes > Settings.BUFFER_LIMIT - before) {
        return false;
      }
      if (RESERVED.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  static void unreserve(long bytes) {
    RESERVED.addAndGet(-bytes);
  }
}
