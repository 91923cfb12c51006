package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// Collects what responses write into few buffers, which go to the channel when they are full, when
/// a large payload follows, or when something is flushed. Holds no buffer while there is nothing to
/// send.
///
/// The size of the buffer follows what the last turns needed. Loop only.
final class ResponseWriter {

  /// Payloads up to this are copied behind their heads: one region for the kernel is cheaper than
  /// two.
  static final int COPY_LIMIT = 4 << 10;

  private static final int SMALLEST = 512;
  private static final int LARGEST = 32 << 10;

  /// Room for a head without many fields, so that a buffer is rarely left for one that does not
  /// fit.
  private static final int HEAD_ROOM = 256;

  private final Channel channel;
  private @Nullable ByteBuf out;
  private int size = SMALLEST;
  private int written;

  ResponseWriter(Channel channel) {
    this.channel = channel;
  }

  /// The buffer to write `length` bytes to, and some more; the writer's own.
  ByteBuf buffer(int length) {
    @Nullable ByteBuf current = out;
    if (current != null) {
      if (current.writableBytes() >= length + HEAD_ROOM) {
        return current;
      }
      emit(current);
    }
    ByteBufAllocator allocator = channel.loop().allocator();
    ByteBuf fresh = allocator.allocate(Math.max(size, length + HEAD_ROOM));
    out = fresh;
    return fresh;
  }

  /// Sends a payload after what was written.
  void write(Payload payload, @Nullable Promise<Void> promise) {
    if (promise == null && payload instanceof ByteBuf bytes && bytes.size() <= COPY_LIMIT) {
      buffer(bytes.readableBytes()).writeBytes(bytes);
      bytes.release();
      return;
    }
    emit();
    channel.write(payload, promise);
  }

  /// Hands what was written to the channel; `promise` ends with it.
  void emit(@Nullable Promise<Void> promise) {
    if (promise == null) {
      emit();
      return;
    }
    ByteBuf last = out == null ? ByteBuf.empty() : out;
    out = null;
    written += last.readableBytes();
    channel.write(last, promise);
  }

  private void emit() {
    if (out != null) {
      emit(out);
    }
  }

  private void emit(ByteBuf full) {
    out = null;
    written += full.readableBytes();
    channel.write(full, null);
  }

  /// Sends everything.
  void flush() {
    emit();
    channel.flush();
    size = Math.clamp(Integer.highestOneBit(Math.max(written, 1)) * 2L, SMALLEST, LARGEST);
    written = 0;
  }

  /// Gives up what was not handed to the channel.
  void release() {
    if (out != null) {
      out.release();
      out = null;
    }
  }
}
