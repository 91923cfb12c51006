package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Page;
import org.jspecify.annotations.Nullable;

/// Further handles on the memory of a [ByteBuf].
final class Handles {

  private Handles() {}

  /// A new handle that is counted as a holder. The handle is created and tracked before the count
  /// is raised: an [OutOfMemoryError] in between changes nothing.
  ///
  /// Tracking may run a leak listener. If the listener releases the buffer or makes it grow, the
  /// block may belong to another holder, and the handle must not count.
  ///
  /// @param seen bytes at the start of the handle that other handles may see
  static ByteBuf of(ByteBuf buffer, int index, int length, int seen) {
    buffer.requireLive();
    @Nullable Page page = buffer.page;
    long address = buffer.address;
    ByteBuf handle = new ByteBuf(buffer, index, length, seen);
    boolean counted = false;
    try {
      if (handle.leak != null) {
        requireUnchanged(buffer, page, address);
      }
      @Nullable Page memory = handle.page;
      if (memory != null) {
        memory.share(handle.address);
      }
      counted = true;
    } finally {
      if (!counted) {
        handle.end();
      }
    }
    return handle;
  }

  private static void requireUnchanged(ByteBuf buffer, @Nullable Page page, long address) {
    buffer.requireLive();
    if (buffer.page != page || buffer.address != address) {
      throw new IllegalStateException("a leak listener changed the buffer during the call");
    }
  }
}
