package dev.quickwater.channel.nio;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.system.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Where one loop joins what is to be sent, so that many small messages are one write.
///
/// `SocketChannel` would gather, too, but it copies array buffers to native memory one by one,
/// whole and again after each partial write, and wants a `ByteBuffer` for each. Copying at most 64
/// KiB here costs less, and what it costs follows what is sent.
final class Staging {

  static final int SIZE = 64 << 10;

  /// A native buffer from this size on is written from where it is.
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

  /// The front of what is flushed, which begins with a buffer: that buffer itself, or a copy of as
  /// much as there is room for.
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

  /// The whole space, for a datagram that comes in.
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
