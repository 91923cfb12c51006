package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Collects the output of responses in few buffers, which are written to the channel when they are
/// full, when a large payload follows, or on a flush. Holds no buffer while there is nothing to
/// send.
///
/// The size of the buffer follows the output of the last turns. The writer counts the bytes that
/// still wait to be sent, including files, which the count of the channel excludes. Loop only.
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

  /// Bytes handed to the channel since the last flush, and ever.
  private int sinceFlush;

  private long written;

  /// The file that is being sent.
  private @Nullable FileRegion file;

  /// Files after [#file], in order; null while there are none, because a response rarely has
  /// several.
  private @Nullable ArrayDeque<FileRegion> filesBehind;

  private final Http1ServerHandler owner;

  /// Calls `owner` as a task of the loop each time that the last file was sent.
  ResponseWriter(Channel channel, Http1ServerHandler owner) {
    this.channel = channel;
    this.owner = owner;
  }

  /// Bytes handed to the channel so far.
  long written() {
    return written;
  }

  /// Bytes of those that the kernel has not taken.
  long unsent() {
    long unsent = channel.pendingBytes();
    if (file != null) {
      unsent += file.size();
    }
    if (filesBehind != null) {
      for (FileRegion behind : filesBehind) {
        unsent += behind.size();
      }
    }
    return unsent;
  }

  /// True while a file is being sent.
  boolean hasFiles() {
    return file != null;
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

  /// Sends a payload after what was written; `asked` ends with it.
  void write(Payload payload, @Nullable Promise<Void> asked) {
    @Nullable Promise<Void> promise = claimed(asked);
    if (promise == null && payload instanceof ByteBuf bytes && bytes.size() <= COPY_LIMIT) {
      try {
        buffer(bytes.readableBytes()).writeBytes(bytes);
      } finally {
        bytes.release();
      }
      return;
    }
    emit();
    written += payload.size();
    channel.write(
        payload, payload instanceof FileRegion region ? sending(region, promise) : promise);
  }

  /// A part of a response is bound to be sent, or the framing would break: a promise for it cannot
  /// be cancelled, and one that has been means only that nobody asks any more.
  private static @Nullable Promise<Void> claimed(@Nullable Promise<Void> promise) {
    return promise != null && promise.claim() ? promise : null;
  }

  private Promise<Void> sending(FileRegion region, @Nullable Promise<Void> promise) {
    if (file == null) {
      file = region;
    } else {
      ArrayDeque<FileRegion> queue = filesBehind;
      if (queue == null) {
        queue = new ArrayDeque<>();
        filesBehind = queue;
      }
      queue.add(region);
    }
    Promise<Void> sent = promise == null ? channel.loop().newPromise() : promise;
    sent.onComplete(_ -> fileEnded());
    return sent;
  }

  private void fileEnded() {
    ArrayDeque<FileRegion> queue = filesBehind;
    file = queue == null ? null : queue.poll();
    if (queue != null && queue.isEmpty()) {
      filesBehind = null;
    }
    if (file == null && channel.isActive()) {
      channel.loop().ready(owner::resume);
    }
  }

  /// Hands what was written to the channel; `asked` ends with it.
  void emit(@Nullable Promise<Void> asked) {
    @Nullable Promise<Void> promise = claimed(asked);
    if (promise == null) {
      emit();
      return;
    }
    ByteBuf last = out == null ? ByteBuf.wrap() : out;
    out = null;
    count(last);
    channel.write(last, promise);
  }

  private void emit() {
    if (out != null) {
      emit(out);
    }
  }

  private void emit(ByteBuf full) {
    out = null;
    count(full);
    channel.write(full, null);
  }

  private void count(ByteBuf full) {
    sinceFlush += full.readableBytes();
    written += full.readableBytes();
  }

  /// Sends everything.
  void flush() {
    emit();
    channel.flush();
    size = Math.clamp(Integer.highestOneBit(Math.max(sinceFlush, 1)) * 2L, SMALLEST, LARGEST);
    sinceFlush = 0;
  }

  /// Gives up what was not handed to the channel.
  void release() {
    if (out != null) {
      out.release();
      out = null;
    }
  }
}
