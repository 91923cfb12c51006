package dev.quickwater.tls.library;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/// The records that a connection must send. Holds a buffer only while there are bytes.
public final class RecordOutput {

  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf buffer;

  /// Takes its buffers from an allocator.
  public RecordOutput(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /// The buffer to append records to, with room for at least `bytes`. Valid until the next call of
  /// any method; the caller does not own it.
  public ByteBuf room(int bytes) {
    @Nullable ByteBuf current = buffer;
    if (current == null) {
      current = allocator.allocate(bytes);
      buffer = current;
      return current;
    }
    return current.ensureWritable(bytes);
  }

  /// The records so far, which the caller owns; null if there are none.
  public @Nullable ByteBuf take() {
    @Nullable ByteBuf current = buffer;
    buffer = null;
    if (current != null && !current.isReadable()) {
      current.release();
      return null;
    }
    return current;
  }
}
