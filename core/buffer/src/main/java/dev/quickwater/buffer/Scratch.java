package dev.quickwater.buffer;

/// An array for each platform thread, through which native bytes become text.
///
/// It is lent until the caller returns and must not be in use while foreign code runs. Virtual
/// threads, of which there may be millions, get a new array each time, as do lengths that are not
/// worth keeping an array for.
final class Scratch {

  static final int SIZE = 8 << 10;

  private static final ThreadLocal<byte[]> OF_THREAD =
      ThreadLocal.withInitial(() -> new byte[SIZE]);

  private Scratch() {}

  /// At least `length` bytes of any content.
  static byte[] take(int length) {
    return length > SIZE || Thread.currentThread().isVirtual() ? new byte[length] : OF_THREAD.get();
  }
}
