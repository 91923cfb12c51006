package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;

/// A long-lived buffer of which a benchmark makes many handles.
///
/// The leak tracker samples one buffer in 1,024, among them the first of every allocator, and
/// tracks all handles on the memory of a sampled one, at 800 ns each. A benchmark whose only parent
/// is such a buffer would measure the tracker alone, so that the first is passed over; Netty's
/// parent is not tracked either in all but one of 128 runs.
final class Untracked {

  private Untracked() {}

  /// A buffer full of zeros, all readable.
  static ByteBuf allocate(ByteBufAllocator allocator, int size) {
    ByteBuf first = allocator.allocate(size);
    ByteBuf second = allocator.allocate(size);
    first.release();
    return second.writeBytes(new byte[size]);
  }
}
