package dev.quickwater.buffer;

/// Arrays for each platform thread, through which bytes become text.
///
/// They are lent until the caller returns and must not be in use while foreign code runs. Virtual
/// threads, of which there may be millions, get a new array each time, as do lengths that are not
/// worth keeping an array for.
final class Scratch {

  /// Bytes, and characters, that a thread keeps room for.
  static final int SIZE = 8 << 10;

  private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

  private final byte[] bytes = new byte[SIZE];
  private char[] chars = {};

  private Scratch() {}

  /// At least `length` bytes of any content.
  static byte[] bytes(int length) {
    return length > SIZE || Thread.currentThread().isVirtual()
        ? new byte[length]
        : OF_THREAD.get().bytes;
  }

  /// [#SIZE] characters of any content, for platform threads; made when first asked for, since most
  /// threads only meet ASCII.
  static char[] chars() {
    Scratch scratch = OF_THREAD.get();
    if (scratch.chars.length == 0) {
      scratch.chars = new char[SIZE];
    }
    return scratch.chars;
  }
}
