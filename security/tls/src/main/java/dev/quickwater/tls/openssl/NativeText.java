package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Texts and byte strings in native memory.
final class NativeText {

  /// No text of OpenSSL that is read here is longer.
  private static final int MAX = 1024;

  private NativeText() {}

  /// The text that ends before the first zero byte; null for the null pointer.
  static @Nullable String read(long address) {
    if (address == 0) {
      return null;
    }
    int length = 0;
    while (length < MAX && Memory.getByte(address, length) != 0) {
      length++;
    }
    return new String(bytes(address, length), StandardCharsets.ISO_8859_1);
  }

  /// A copy of native bytes.
  static byte[] bytes(long address, int length) {
    byte[] copy = new byte[length];
    Memory.copy(address, copy, 0, length);
    return copy;
  }

  /// The address of a text with a zero byte behind it.
  static long allocate(Arena arena, String text) {
    return arena.allocateFrom(text, StandardCharsets.UTF_8).address();
  }

  /// The address of a copy of bytes.
  static long allocate(Arena arena, byte[] bytes) {
    MemorySegment copy = arena.allocate(Math.max(1, bytes.length), Long.BYTES);
    Memory.copy(bytes, 0, copy.address(), bytes.length);
    return copy.address();
  }
}
