package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.function.IntFunction;

/// A long-lived buffer whose handle is not tracked, of which a benchmark creates many handles.
///
/// - The leak tracker selects one handle in 1,024, among them the first of every heap. It selects
///   each handle separately, so views are tracked at this rate whether their parent is tracked or
///   not. The first buffer is skipped.
/// - Netty selects one buffer in 128 and wraps it and its views in another class, which would
///   change every call of the benchmark. Such a buffer is skipped.
final class Untracked {

  private Untracked() {}

  /// A buffer full of zeros, all readable.
  static ByteBuf allocate(ByteBufAllocator allocator, int size) {
    ByteBuf first = allocator.allocate(size);
    ByteBuf second = allocator.allocate(size);
    first.release();
    return second.writeBytes(new byte[size]);
  }

  /// A buffer of Netty, full of zeros, all readable.
  static io.netty.buffer.ByteBuf netty(IntFunction<io.netty.buffer.ByteBuf> allocator, int size) {
    io.netty.buffer.ByteBuf buffer = allocator.apply(size);
    // At the paranoid level every buffer is wrapped, so the number of tries is limited.
    for (int tries = 0; tries < 8 && buffer.getClass().getName().contains("LeakAware"); tries++) {
      buffer.release();
      buffer = allocator.apply(size);
    }
    return buffer.writeZero(size);
  }
}
