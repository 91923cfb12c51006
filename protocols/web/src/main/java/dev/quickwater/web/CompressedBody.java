package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.OutgoingBody;
import java.util.ArrayDeque;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Compresses a body. Deflate is the zlib format (RFC 9110 section 8.4.1.2).
///
/// Bytes above the [CompressionBudget] of the loop wait for a further turn, and the body is not
/// writable until then. Loop only.
final class CompressedBody implements OutgoingBody {

  private static final int PIECE = 8 << 10;

  /// RFC 1952 section 2.3: no name, no time, unknown system.
  private static final byte[] GZIP_HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private final HttpExchange x;
  private final OutgoingBody next;
  private final CompressionBudget budget;
  private final Deflater deflater;

  /// Null for deflate, whose format has a sum that [Deflater] computes.
  private final @Nullable CRC32 sum;

  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(2);
  private final byte[] in = new byte[PIECE];
  private final byte[] out = new byte[PIECE];
  private long length;

  private Phase phase = Phase.OPEN;
  private @Nullable HttpHeaders trailers;
  private @Nullable Runnable onWritable;

  /// The progress of the body. A requested turn has no effect once the phase is [#ENDED].
  private enum Phase {
    OPEN,
    /// Bytes wait for the next turn.
    WAITING,
    /// As [#WAITING], and a flush follows these bytes.
    FLUSHING,
    ENDED
  }

  CompressedBody(
      HttpExchange x, ContentCoding coding, CompressionBudget budget, OutgoingBody next) {
    this.x = x;
    this.next = next;
    this.budget = budget;
    boolean gzip = coding == ContentCoding.GZIP;
    this.deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, gzip);
    this.sum = gzip ? new CRC32() : null;
  }

  @Override
  public void write(ByteBuf bytes) {
    if (phase == Phase.ENDED || trailers != null) {
      bytes.release();
      return;
    }
    waiting.add(bytes);
    if (phase == Phase.OPEN) {
      compress();
    }
  }

  @Override
  public void flush() {
    switch (phase) {
      case OPEN -> sync();
      case WAITING -> phase = Phase.FLUSHING;
      case FLUSHING, ENDED -> {}
    }
  }

  @Override
  public void end(HttpHeaders fields) {
    if (phase == Phase.ENDED || trailers != null) {
      return;
    }
    HttpHeaders kept = Compress.withoutDigests(fields);
    trailers = kept;
    if (phase == Phase.OPEN) {
      finish(kept);
    }
  }

  @Override
  public boolean isWritable() {
    return phase == Phase.OPEN && trailers == null && next.isWritable();
  }

  @Override
  public void onWritable(Runnable action) {
    if (phase == Phase.OPEN) {
      next.onWritable(action);
    } else if (onWritable != null) {
      throw new IllegalStateException("an earlier onWritable is pending");
    } else {
      onWritable = action;
    }
  }

  /// The exchange has ended.
  void release() {
    phase = Phase.ENDED;
    onWritable = null;
    waiting.forEach(ByteBuf::release);
    waiting.clear();
    deflater.end();
  }

  /// Compresses what waits, up to the budget of the turn.
  private void compress() {
    for (@Nullable ByteBuf first; (first = waiting.peek()) != null; ) {
      while (first.isReadable()) {
        int count = budget.take(Math.min(first.readableBytes(), PIECE));
        if (count == 0) {
          if (phase == Phase.OPEN) {
            phase = Phase.WAITING;
          }
          budget.await(this);
          return;
        }
        first.readBytes(in, 0, count);
        add(count);
      }
      waiting.remove().release();
    }
  }

  /// A further turn has begun. A failure fails the exchange.
  void resume() {
    if (phase != Phase.ENDED) {
      try {
        continueTurn();
      } catch (Throwable t) {
        x.fail(t);
      }
    }
  }

  private void continueTurn() {
    Phase before = phase;
    compress();
    if (!waiting.isEmpty()) {
      return;
    }
    phase = Phase.OPEN;
    @Nullable HttpHeaders fields = trailers;
    if (fields != null) {
      finish(fields);
      return;
    }
    if (before == Phase.FLUSHING) {
      sync();
    }
    @Nullable Runnable action = onWritable;
    onWritable = null;
    if (action != null) {
      next.onWritable(action);
    }
  }

  private void add(int count) {
    if (sum != null) {
      if (length == 0) {
        emit(GZIP_HEAD, GZIP_HEAD.length);
      }
      sum.update(in, 0, count);
    }
    length += count;
    deflater.setInput(in, 0, count);
    drain(Deflater.NO_FLUSH);
  }

  private void drain(int mode) {
    int count;
    do {
      count = deflater.deflate(out, 0, out.length, mode);
      if (count > 0) {
        emit(out, count);
      }
    } while (count == out.length || count > 0 && mode == Deflater.NO_FLUSH);
  }

  private void emit(byte[] bytes, int count) {
    next.write(x.loop().allocator().allocate(count).writeBytes(bytes, 0, count));
  }

  private void sync() {
    if (length > 0) {
      drain(Deflater.SYNC_FLUSH);
    }
    next.flush();
  }

  private void finish(HttpHeaders fields) {
    if (sum != null && length == 0) {
      emit(GZIP_HEAD, GZIP_HEAD.length);
    }
    deflater.finish();
    while (!deflater.finished()) {
      drain(Deflater.NO_FLUSH);
    }
    if (sum != null) {
      next.write(
          x.loop()
              .allocator()
              .allocate(8)
              .writeInt(Integer.reverseBytes((int) sum.getValue()))
              .writeInt(Integer.reverseBytes((int) length)));
    }
    phase = Phase.ENDED;
    next.end(fields);
  }
}
