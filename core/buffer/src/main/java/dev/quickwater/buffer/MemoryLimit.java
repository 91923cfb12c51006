package dev.quickwater.buffer;

import dev.quickwater.system.Settings;
import java.util.concurrent.atomic.AtomicLong;

/// Counts what all sources together have reserved, native and arrays, and refuses to go over the
/// limit of the process.
final class MemoryLimit {

  private static final AtomicLong RESERVED = new AtomicLong();

  private MemoryLimit() {}

  /// Bytes reserved by all.
  static long reserved() {
    return RESERVED.get();
  }

  /// Counts `bytes` more. Called without a source's lock, since it may empty the sources first.
  ///
  /// @throws OutOfMemoryError over the limit, even without what was idle; nothing is counted then
  static void reserve(long bytes) {
    if (tryReserve(bytes)) {
      return;
    }
    NativePages.IT.trim();
    ArrayPages.IT.trim();
    if (!tryReserve(bytes)) {
      throw new OutOfMemoryError(
          "buffers hold "
              + reserved()
              + " bytes and need "
              + bytes
              + " more; the limit is "
              + Settings.MEMORY_LIMIT
              + " (-Ddev.quickwater.memoryLimit)");
    }
  }

  /// Compares before it counts: adding what does not fit, if only for a moment, would have the
  /// requests of others refused.
  private static boolean tryReserve(long bytes) {
    while (true) {
      long before = RESERVED.get();
      if (bytes > Settings.MEMORY_LIMIT - before) {
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
