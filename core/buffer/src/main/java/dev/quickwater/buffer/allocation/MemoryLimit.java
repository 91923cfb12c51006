package dev.quickwater.buffer.allocation;

import dev.quickwater.system.Settings;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Counts the memory that all sources together have reserved, native memory and arrays, and refuses
/// to exceed the limit of the process.
///
/// **A refusal means that the memory is in use.** Before a refusal, this class trims the sources
/// and the heaps that the caller drives or can lock. It then requests the loops of the other heaps
/// to trim them, and waits up to [#PATIENCE_NANOS] for that. For [#IMPATIENT_NANOS] after a refusal
/// no request of that size or more waits, because a process at its limit would otherwise spend all
/// of its time waiting.
public final class MemoryLimit {

  static final long PATIENCE_NANOS = 20_000_000;

  private static final long REST_NANOS = 100_000;

  /// The time after a refusal during which no thread waits.
  private static final long IMPATIENT_NANOS = 500_000_000;

  private static final AtomicLong RESERVED = new AtomicLong();

  /// The [System#nanoTime] of the last refusal.
  private static final AtomicLong REFUSED_AT = new AtomicLong();

  /// The bytes of the last refused request; a smaller request may wait. No request is as large as
  /// the initial value.
  private static final AtomicLong REFUSED_BYTES = new AtomicLong(Long.MAX_VALUE);

  private MemoryLimit() {}

  /// Bytes reserved by all sources.
  public static long reserved() {
    return RESERVED.get();
  }

  /// Counts `bytes` more. Called without a source's lock, because it may trim the sources first.
  ///
  /// @param driven a heap that the caller drives
  /// @throws OutOfMemoryError if the limit would be exceeded even after trimming; nothing is
  ///   counted then
  public static void reserve(long bytes, @Nullable Heap driven) {
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
    Heaps.requestTrims(driven);
    long now = System.nanoTime();
    if (bytes >= REFUSED_BYTES.get() && now - REFUSED_AT.get() < IMPATIENT_NANOS) {
      return false;
    }
    boolean reserved = waitForOthers(bytes, driven, now + PATIENCE_NANOS);
    if (!reserved) {
      REFUSED_AT.set(System.nanoTime());
      REFUSED_BYTES.set(bytes);
    }
    return reserved;
  }

  private static void trim(@Nullable Heap driven) {
    Heaps.trim(driven);
    NativePages.IT.trim();
    ArrayPages.IT.trim();
  }

  /// Requests trims from the drivers of all other heaps and waits for them, twice. In the first
  /// round, loops also publish the blocks of other heaps that they have freed; the second round
  /// frees these blocks. Returns as soon as the reservation succeeds.
  ///
  /// Each round trims again, because memory that loops return becomes idle first, and memory that a
  /// thread is returning to the system still counts. The caller's heaps are trimmed as well,
  /// because other threads may be waiting for them.
  private static boolean waitForOthers(long bytes, @Nullable Heap driven, long deadline) {
    boolean interrupted = false;
    try {
      for (int requests = 0; requests < 2; requests++) {
        Heaps.requestTrims(driven);
        while (System.nanoTime() - deadline < 0
            && (Heaps.isTrimDue(driven) || NativePages.IT.isReturning())) {
          interrupted |= Thread.interrupted(); // parkNanos returns at once in an interrupted thread
          LockSupport.parkNanos(REST_NANOS);
          trim(driven);
          if (tryReserve(bytes)) {
            return true;
          }
        }
        trim(driven);
        if (tryReserve(bytes)) {
          return true;
        }
      }
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Compares with the limit before it adds. Adding first could exceed the limit briefly and make
  /// requests of other threads fail.
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

  public static void unreserve(long bytes) {
    RESERVED.addAndGet(-bytes);
  }
}
