package dev.quickwater.http2;

import java.util.concurrent.TimeUnit;

/// The rate at which a body arrives while a reader waits, in windows of five seconds. A window
/// pauses while no reader waits.
final class BodyRate {

  private static final long WINDOW_SECONDS = 5;
  private static final long WINDOW = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);

  private long bytes;

  /// Nanoseconds of the window that have passed.
  private long spent;

  private long checked;

  /// Counts bytes that have arrived.
  void received(int count) {
    bytes += count;
  }

  /// Begins a window, or continues it after a pause.
  void resume(long now) {
    checked = now;
  }

  /// Adds the time since the last call to the window.
  ///
  /// @param min bytes a second
  /// @return true if the window has ended with fewer bytes than required
  boolean isTooSlow(long now, int min) {
    spent += now - checked;
    checked = now;
    if (spent < WINDOW) {
      return false;
    }
    boolean slow = bytes < min * WINDOW_SECONDS;
    spent = 0;
    bytes = 0;
    return slow;
  }
}
