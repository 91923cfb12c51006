package dev.quickwater.channel.nio;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.system.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The native buffer in which one loop joins small messages into one write.
///
/// `SocketChannel` can gather too, but it needs a `ByteBuffer` for each message and copies each
/// array buffer to native memory, completely and again after each partial write. Copying at most 64
/// KiB here costs less, and the cost is proportional to the bytes sent.
final class Staging {

  static final int SIZE = 64 << 10;

  /// Native buffers of at least this size are written without a copy.
  private static final int LARGE = 16 << 10;

  private final @Nullable ByteBuf memory;
  private final ByteBuffer view;

  Staging() {
    ByteBufAllocator allocator = ByteBufAllocator.shared();
    if (allocator.isNative()) {
      memory = allocator.allocate(SIZE);
      view = UnsafeViews.byteBuffer(memory, 0, SIZE);
    } else {
      memory = null;
      view = ByteBuffer.allocateDirect(SIZE);
    }
  }

  /// The next bytes to write, when the first flushed entry is a buffer: that buffer itself, or a
  /// copy of as many buffers as fit.
  ByteBuffer fill(StreamOutput output) {
    ByteBuf first = (ByteBuf) output.first();
    int count = output.flushedCount();
    if (UnsafeViews.isNative(first) && (count == 1 || first.readableBytes() >= LARGE)) {
      return UnsafeViews.byteBuffer(first, first.readerIndex(), first.readableBytes());
    }
    int filled = 0;
    for (int i = 0; i < count && filled < SIZE; i++) {
      if (!(output.flushedAt(i) instanceof ByteBuf buffer)) {
        break;
      }
      int length = Math.min(buffer.readableBytes(), SIZE - filled);
      copy(buffer, length, filled);
      filled += length;
    }
    return view.limit(filled).position(0);
  }

  /// The complete buffer, to receive a datagram.
  ByteBuffer empty() {
    return view.limit(SIZE).position(0);
  }

  private void copy(ByteBuf buffer, int length, int at) {
    int index = buffer.readerIndex();
    if (!UnsafeViews.isNative(buffer)) {
      view.limit(at + length);
      view.put(at, UnsafeViews.array(buffer), UnsafeViews.arrayOffset(buffer) + index, length);
    } else if (memory != null) {
      Memory.copy(UnsafeViews.address(buffer, index), UnsafeViews.address(memory, at), length);
    } else {
      throw new IllegalStateException("a native buffer without native access");
    }
  }

  void close() {
    if (memory != null) {
      memory.release();
    }
  }
}
