package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/// The bytes of a connection that were received and not consumed: one buffer, or none.
///
/// Usually this is the receive buffer. Bytes that arrive while earlier bytes are left are appended.
/// The space of consumed bytes is reused only if no slice of the buffer was handed out, because the
/// holder of a slice still reads it. Each byte is moved a bounded number of times, in any order of
/// arrivals. Loop only.
public class InputBuffer {

  private @Nullable ByteBuf bytes;

  /// True when there is nothing to consume.
  public final boolean isEmpty() {
    return bytes == null || !bytes.isReadable();
  }

  /// How many bytes there are.
  public final int size() {
    return bytes == null ? 0 : bytes.readableBytes();
  }

  /// The bytes, to be consumed through the reader index.
  public final ByteBuf bytes() {
    return bytes == null ? ByteBuf.wrap() : bytes;
  }

  /// The next bytes as a separate handle.
  public final ByteBuf take(int length) {
    return bytes().readSlice(length);
  }

  /// All remaining bytes, or null; the buffer is empty afterwards.
  public final @Nullable ByteBuf takeAll() {
    @Nullable ByteBuf all = isEmpty() ? null : bytes;
    if (all == null) {
      release();
    }
    bytes = null;
    return all;
  }

  /// Moves the bytes to array memory, which the garbage collector reclaims.
  public final void moveToArray() {
    @Nullable ByteBuf all = takeAll();
    if (all != null) {
      try {
        bytes = ByteBuf.wrap(all.readBytes(all.readableBytes()));
      } finally {
        all.release();
      }
    }
  }

  /// Takes ownership of received bytes.
  public final void add(ByteBuf more, ByteBufAllocator allocator) {
    if (bytes == null) {
      bytes = more;
    } else {
      append(more, allocator);
    }
  }

  private void append(ByteBuf more, ByteBufAllocator allocator) {
    ByteBuf left = bytes();
    try {
      boolean wasteful = left.readerIndex() > left.capacity() / 2;
      if (wasteful && left.isShared()
          || left.maxCapacity() - left.writerIndex() < more.readableBytes()) {
        ByteBuf fresh = allocator.allocate(left.readableBytes() + more.readableBytes());
        fresh.writeBytes(left);
        left.release();
        left = fresh;
        bytes = fresh;
      } else if (wasteful) {
        left.discardRead();
      }
      left.writeBytes(more);
    } finally {
      more.release();
    }
  }

  /// Releases the buffer if all of it was consumed. A few bytes left in a large buffer are moved to
  /// a small one, because they may stay for a long time.
  public final void trim(ByteBufAllocator allocator) {
    if (bytes == null) {
      return;
    }
    int size = bytes.readableBytes();
    if (size == 0) {
      release();
    } else if (!bytes.isShared() && bytes.capacity() > 4096 && size <= bytes.capacity() / 8) {
      ByteBuf small = allocator.allocate(size, bytes.maxCapacity());
      small.writeBytes(bytes);
      release();
      bytes = small;
    }
  }

  /// Releases the buffer.
  public final void release() {
    if (bytes != null) {
      bytes.release();
      bytes = null;
    }
  }
}
