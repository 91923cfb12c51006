package dev.quickwater.http2;

/// The arithmetic of flow-control windows (RFC 9113 section 6.9). A window is an `int`: its maximum
/// is 2^31-1, and a smaller initial size can make it as low as -(2^31-1).
final class Windows {

  static final int MAX = Integer.MAX_VALUE;

  /// The initial size of all windows, of the connection and of streams.
  static final int PROTOCOL_INITIAL = 65_535;

  private Windows() {}

  /// True if the sum is above the maximum.
  static boolean overflows(int window, int change) {
    return (long) window + change > MAX;
  }

  /// A window after a change that does not overflow.
  ///
  /// @throws ArithmeticException if it does
  static int changed(int window, int change) {
    return Math.addExact(window, change);
  }

  /// A count after bytes were taken from it.
  ///
  /// @throws IllegalArgumentException if `bytes` is negative or above `count`
  static int less(int count, int bytes, int stream) {
    if (bytes < 0 || bytes > count) {
      throw new IllegalArgumentException(
          bytes + " bytes are taken from stream " + stream + ", which has " + count);
    }
    return count - bytes;
  }
}
