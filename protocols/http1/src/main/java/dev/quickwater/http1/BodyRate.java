package dev.quickwater.http1;

import java.util.concurrent.TimeUnit;

/// Whether the body of a request comes fast enough, in windows of five seconds.
///
/// The window stands still while it is us who do not read. Times are nanoseconds of the loop's
/// clock.
final class BodyRate {

  private static final long WINDOW = TimeUnit.SECONDS.toNanos(5);

  private final long least;

  /// Bytes in the current window.
  private long bytes;

  /// Nanoseconds of the window that are over, and when the current stretch of it began.
  private long spent;

  private long resumed;

  /// For at least `least` bytes a second; 0 for any rate.
  BodyRate(long least) {
    this.least = least;
  }

  boolean isWatched() {
    return least > 0;
  }

  /// A new window.
  void begin() {
    bytes = 0;
    spent = 0;
  }

  void received(int count) {
    bytes += count;
  }

  /// The window goes on.
  ///
  /// @return nanoseconds that are left of it, at least 1
  long resume(long now) {
    resumed = now;
    return Math.max(1, WINDOW - spent);
  }

  /// The window stands still.
  void stopped(long now) {
    spent += now - resumed;
  }

  /// True at the end of a window in which too little came.
  boolean isTooSlow() {
    return bytes < least * TimeUnit.NANOSECONDS.toSeconds(WINDOW);
  }
}
