package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.function.IntFunction;

/// A long-lived buffer of which a benchmark makes many handles.
///
/// The leak tracker samples one buffer in 1,024, among them the first of every allocator, and
/// tracks all handles on the memory of a sampled one, at 800 ns each. A benchmark whose only parent
/// is such a buffer would measure the tracker alone, so that the first is passed over. Netty draws
/// one in 128 and wraps it into another class; such a one is passed over likewise.
final class Untracked {

  private Untracked() {}

  /// A buffer full of zeros, all readable.
  static ByteBuf allocate(ByteBufAllocator allocator, int size) {
    ByteBuf first = allocator.allocate(size);
    ByteBuf second = allocator.allocate(size);
    first.release();
    return second.writeBytes(new byte[size]);
  }

  /// Netty's, full of zeros, all readable.
  static io.netty.buffer.ByteBuf netty(IntFunction<io.netty.buffer.ByteBuf> allocator, int size) {
    io.netty.buffer.ByteBuf buffer = allocator.apply(size);
    // At the paranoid level every one is wrapped, and then there is none to wait for.
    for (int tries = 0; tries < 8 && buffer.getClass().getName().contains("LeakAware"); tries++) {
      buffer.release();
      buffer = allocator.apply(size);
    }
    return buffer.writeZero(size);
  }
}
