package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/// The bytes of a connection that were received and not consumed: one buffer, or none.
///
/// Mostly it is the receive buffer itself. Bytes that come while some are left are appended; space
/// before them is used again only when no part of the buffer was handed out, for whoever holds such
/// a slice still reads it. Each byte is moved a bounded number of times, however the bytes come.
/// Loop only.
final class Received {

  private @Nullable ByteBuf bytes;

  /// Parts of [#bytes] belong to others now.
  private boolean shared;

  /// True when there is nothing to consume.
  boolean isEmpty() {
    return bytes == null || !bytes.isReadable();
  }

  /// How many bytes there are.
  int size() {
    return bytes == null ? 0 : bytes.readableBytes();
  }

  /// The bytes, to be consumed through the reader index.
  ByteBuf bytes() {
    return bytes == null ? ByteBuf.wrap() : bytes;
  }

  /// The next bytes as a handle of the taker's own.
  ByteBuf take(int length) {
    shared = true;
    return bytes().readSlice(length);
  }

  /// Takes a buffer over if nothing is left of those before it.
  ///
  /// @return false if something is; then it has to be appended
  boolean begin(ByteBuf first) {
    if (bytes != null) {
      return false;
    }
    bytes = first;
    shared = false;
    return true;
  }

  /// Appends a buffer to what is left, and takes it over whatever happens.
  void append(ByteBuf more, ByteBufAllocator allocator) {
    ByteBuf left = bytes();
    try {
      boolean wasteful = left.readerIndex() > left.capacity() / 2;
      if (wasteful && shared || left.maxCapacity() - left.writerIndex() < more.readableBytes()) {
        ByteBuf fresh = allocator.allocate(left.readableBytes() + more.readableBytes());
        fresh.writeBytes(left);
        left.release();
        left = fresh;
        bytes = fresh;
        shared = false;
      } else if (wasteful) {
        left.discardRead();
      }
      left.writeBytes(more);
    } finally {
      more.release();
    }
  }

  /// Gives the buffer up when everything in it is consumed.
  void trim() {
    if (bytes != null && !bytes.isReadable()) {
      release();
    }
  }

  /// Gives the buffer up.
  void release() {
    if (bytes != null) {
      bytes.release();
      bytes = null;
    }
  }
}
