package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.Settings;

/// Whether the memory of buffers is so scarce that the process should take in less.
///
/// Pressure is high when buffers hold more than the soft limit (`dev.quickwater.bufferSoftLimit`,
/// three quarters of the limit by default), until they hold an eighth less. Nothing is refused yet:
/// what reads from peers is asked to pause, so that the hard limit, at which allocation fails, is
/// not reached. Memory that is kept without use does not count.
///
/// Any thread may ask at any time; it costs a load while little is reserved.
public final class MemoryPressure {

  private static final long HIGH = Settings.BUFFER_SOFT_LIMIT;
  private static final long LOW = HIGH - HIGH / Byte.SIZE;

  private static volatile boolean high;

  private MemoryPressure() {}

  /// True from the moment at which buffers hold more than the soft limit until they hold an eighth
  /// less.
  public static boolean isHigh() {
    long reserved = MemoryLimit.reserved();
    if (reserved <= LOW) {
      // Most calls end here, and a store would take the cache line from other threads.
      if (high) {
        high = false;
      }
      return false;
    }
    long held =
        reserved - ArrayPages.IT.idle() - (NativeAccess.enabled() ? NativePages.IT.idle() : 0);
    boolean was = high;
    boolean is = held > (was ? LOW : HIGH);
    if (is != was) {
      high = is;
      if (is) {
        MemoryEvents.pressure(reserved);
      }
    }
    return is;
  }
}
