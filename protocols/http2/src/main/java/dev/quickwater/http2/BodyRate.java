package dev.quickwater.http2;

import java.util.concurrent.TimeUnit;

/// The rate at which a body is transferred, in windows. A window pauses while the peer is not the
/// one that is waited for.
final class BodyRate {

  /// Seconds of a window for a body that arrives.
  static final int RECEIVE_WINDOW = 5;

  /// Seconds of a window for a body that is sent: the kernels of both sides may delay data for
  /// seconds.
  static final int SEND_WINDOW = 30;

  private final int seconds;
  private long bytes;

  /// Nanoseconds of the window that have passed.
  private long spent;

  private long checked;

  /// @param seconds the length of a window
  BodyRate(int seconds) {
    this.seconds = seconds;
  }

  /// Counts bytes that were transferred.
  void add(int count) {
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
    if (spent < TimeUnit.SECONDS.toNanos(seconds)) {
      return false;
    }
    boolean slow = bytes < (long) min * seconds;
    spent = 0;
    bytes = 0;
    return slow;
  }
}
