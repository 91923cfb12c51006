package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.Payload;
import java.util.Random;

/// A stream of bytes with a predictable value at each position, split into messages of every kind.
final class Payloads {

  private Payloads() {}

  /// The byte at a position of the stream. The period 251 is prime: a shift by a power of two is
  /// detected.
  static byte at(long position) {
    return (byte) (position % 251);
  }

  static byte[] bytes(long from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(from + i);
    }
    return bytes;
  }

  static ByteBuf allocated(ByteBufAllocator allocator, long from, int length) {
    return allocator.allocate(length).writeBytes(bytes(from, length));
  }

  static ByteBuf wrapped(long from, int length) {
    return ByteBuf.wrap(bytes(from, length));
  }

  /// A message of a random kind.
  static Payload any(Random random, long from, int length) {
    ByteBufAllocator shared = ByteBufAllocator.shared();
    int cut = length == 0 ? 0 : random.nextInt(length);
    return switch (random.nextInt(4)) {
      case 0 -> allocated(shared, from, length);
      case 1 -> wrapped(from, length);
      case 2 -> {
        // A part from the middle of a larger buffer whose handle is released.
        ByteBuf larger = shared.allocate(length + 7).writeBytes(new byte[7]);
        larger.writeBytes(bytes(from, length));
        ByteBuf part = larger.slice(7, length);
        larger.release();
        yield part;
      }
      default ->
          CompositeByteBuf.of(
              allocated(shared, from, cut), ByteBuf.wrap(), wrapped(from + cut, length - cut));
    };
  }
}
