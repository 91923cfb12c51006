package dev.quickwater.buffer;

/// Temporary arrays of a platform thread for decoding and measuring text.
///
/// An array is valid until the caller returns. It must not be in use while foreign code runs.
/// Virtual threads get a new array each time, because there may be millions of them. So do lengths
/// over [#SIZE].
final class Scratch {

  /// The length of the kept arrays, in bytes and in characters.
  static final int SIZE = 8 << 10;

  private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

  private final byte[] bytes = new byte[SIZE];
  private byte[] latin = {};
  private char[] chars = {};

  private Scratch() {}

  /// An array of at least `length` bytes with arbitrary content.
  static byte[] bytes(int length) {
    return length > SIZE || Thread.currentThread().isVirtual()
        ? new byte[length]
        : OF_THREAD.get().bytes;
  }

  /// An array of [#SIZE] bytes with arbitrary content, for platform threads. It is not the array of
  /// [#bytes], so both can be in use. The first call creates it.
  static byte[] latin() {
    Scratch scratch = OF_THREAD.get();
    if (scratch.latin.length == 0) {
      scratch.latin = new byte[SIZE];
    }
    return scratch.latin;
  }

  /// An array of [#SIZE] characters with arbitrary content, for platform threads. It is created
  /// when first needed, because most threads decode only ASCII.
  static char[] chars() {
    Scratch scratch = OF_THREAD.get();
    if (scratch.chars.length == 0) {
      scratch.chars = new char[SIZE];
    }
    return scratch.chars;
  }
}
