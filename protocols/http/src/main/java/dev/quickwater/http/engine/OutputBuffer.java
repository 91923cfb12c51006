package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// Collects the output of a connection in few buffers. A buffer is written when it is full, before
/// a large payload, or on a flush. No buffer is held while there is no output.
///
/// The size of the buffer follows the output of recent turns. Unsent bytes include those of the
/// file that is being sent, which the channel does not count. Loop only.
public final class OutputBuffer {

  /// A payload of up to this size is copied after its head, because one region costs the kernel
  /// less than two.
  public static final int COPY_LIMIT = 4 << 10;

  private static final int SMALLEST = 512;
  private static final int LARGEST = 32 << 10;

  /// Space that is added to each request for a buffer. A short head usually fits into it.
  private static final int HEAD_ROOM = 256;

  private final OutputIo io;
  private @Nullable ByteBuf out;
  private int size = SMALLEST;

  /// Bytes written since the last flush, and in total.
  private int sinceFlush;

  private long written;

  /// The file that is being sent.
  private @Nullable FileRegion file;

  public OutputBuffer(OutputIo io) {
    this.io = io;
  }

  /// Bytes written so far.
  public long written() {
    return written;
  }

  /// Bytes written that the kernel has not taken.
  public long unsent() {
    return io.pendingBytes() + (file == null ? 0 : file.size());
  }

  /// True if bytes wait for a flush.
  public boolean isPending() {
    return out != null || sinceFlush > 0;
  }

  /// A buffer with space for at least `length` bytes. The caller only writes to it.
  public ByteBuf buffer(int length) {
    @Nullable ByteBuf current = out;
    if (current != null) {
      if (current.writableBytes() >= length + HEAD_ROOM) {
        return current;
      }
      emit(current);
    }
    ByteBuf fresh = io.allocator().allocate(Math.max(size, length + HEAD_ROOM));
    out = fresh;
    return fresh;
  }

  /// Sends bytes after all bytes written before; takes ownership.
  public void write(ByteBuf bytes) {
    if (bytes.readableBytes() <= COPY_LIMIT) {
      try {
        buffer(bytes.readableBytes()).writeBytes(bytes);
      } finally {
        bytes.release();
      }
      return;
    }
    try {
      emit();
    } catch (Throwable t) {
      bytes.release();
      throw t;
    }
    emit(bytes);
  }

  /// Sends a file after all bytes written before; takes ownership.
  public void write(FileRegion region, Promise<Void> sent) {
    try {
      emit();
    } catch (Throwable t) {
      region.release();
      throw t;
    }
    written += region.size();
    sinceFlush++;
    file = region;
    sent.onComplete(_ -> file = null);
    io.write(region, sent);
  }

  private void emit() {
    if (out != null) {
      emit(out);
    }
  }

  private void emit(ByteBuf full) {
    if (full == out) {
      out = null;
    }
    sinceFlush += full.readableBytes();
    written += full.readableBytes();
    io.write(full);
  }

  /// Sends everything.
  public void flush() {
    emit();
    io.flush();
    size = Math.clamp(Integer.highestOneBit(Math.max(sinceFlush, 1)) * 2L, SMALLEST, LARGEST);
    sinceFlush = 0;
  }

  /// Releases bytes that were not passed to the channel.
  public void release() {
    if (out != null) {
      out.release();
      out = null;
    }
  }
}
