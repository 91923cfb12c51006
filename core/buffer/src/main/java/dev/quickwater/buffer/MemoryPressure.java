package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.ArrayPages;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.MemoryEvents;
import dev.quickwater.buffer.allocation.MemoryLimit;
import dev.quickwater.buffer.allocation.NativePages;
import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.Settings;
import java.util.concurrent.atomic.AtomicBoolean;

/// Reports whether the memory of buffers is so scarce that the process should read less.
///
/// Pressure becomes high when buffers hold more than the soft limit
/// (`dev.quickwater.bufferSoftLimit`, by default three quarters of the limit). It stays high until
/// they hold at most seven eighths of the soft limit. High pressure refuses no allocation. Code
/// that reads from peers should pause while pressure is high, so that the process does not reach
/// the hard limit, at which allocation fails. Memory that no buffer uses does not count.
///
/// Any thread may call this class at any time; a call costs one load while little memory is
/// reserved.
public final class MemoryPressure {

  private static final long HIGH = Settings.BUFFER_SOFT_LIMIT;
  private static final long LOW = HIGH - HIGH / 8;

  private static final AtomicBoolean IS_HIGH = new AtomicBoolean();

  private MemoryPressure() {}

  /// True from the time at which buffers hold more than the soft limit until they hold an eighth
  /// less.
  public static boolean isHigh() {
    long reserved = MemoryLimit.reserved();
    if (reserved <= LOW) {
      // A plain store in each call would take the cache line from other threads.
      if (IS_HIGH.get()) {
        IS_HIGH.set(false);
      }
      return false;
    }
    long idle = ArrayPages.IT.idle() + (NativeAccess.enabled() ? NativePages.IT.idle() : 0);
    long held = reserved - idle - Heaps.emptiedBytes();
    boolean was = IS_HIGH.get();
    boolean is = held > (was ? LOW : HIGH);
    if (is != was) {
      IS_HIGH.set(is);
      if (is) {
        MemoryEvents.pressure(reserved);
      }
    }
    return is;
  }
}
