package dev.quickwater.tls;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.spi.FilePiece;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The messages that wait to be encrypted, and how they become records.
///
/// - Messages that fit into one record together are copied together: a record costs more than the
///   copy.
/// - **Record size:** at the start and after a pause, the first records are short, so that the peer
///   can decrypt them before the following packets arrive. Later records are full.
/// - Only flushed messages are encrypted. A message whose promise is cancelled before its
///   encryption begins is dropped.
///
/// Loop thread only. The single message of the common case needs no list.
final class PlaintextQueue {

  /// The maximum plaintext of a record (RFC 8446 section 5.1).
  private static final int FULL_RECORD = 1 << 14;

  /// A short record fits into three packets of Ethernet.
  private static final int SHORT_RECORD = 4 << 10;

  /// The bytes that are sent in short records: the congestion window of a new connection has ten
  /// packets (RFC 6928).
  private static final int SHORT_BYTES = 4 * SHORT_RECORD;

  /// The pause after which records are short again, because the congestion window may have shrunk.
  private static final long IDLE_NANOS = 1_000_000_000L;

  /// Bytes that a message counts in addition to its content, because many small messages fill the
  /// memory, too.
  private static final int MESSAGE = 64;

  private record Entry(Payload payload, @Nullable Promise<Void> promise) {}

  private final ByteBufAllocator allocator;

  private @Nullable Payload first;
  private @Nullable Promise<Void> firstPromise;

  /// The messages behind the first; null if there are none.
  private @Nullable ArrayDeque<Entry> others;

  private int count;
  private int flushed;

  /// The promises of messages that were encrypted since [#takeCompleted].
  private @Nullable Promise<Void> completed;

  private @Nullable List<Promise<Void>> moreCompleted;

  /// What the messages in the queue count.
  private long waiting;

  /// What the messages counted that left the queue since [#takeDone].
  private long done;

  /// Small messages that share a record.
  private @Nullable ByteBuf merged;

  private int shortLeft = SHORT_BYTES;
  private long lastSent;

  PlaintextQueue(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /// The bytes that a message counts while it waits.
  private static long cost(Payload payload) {
    return MESSAGE + Messages.memory(payload);
  }

  /// Adds a message.
  ///
  /// @return what it counts while it waits
  long add(Payload payload, @Nullable Promise<Void> promise) {
    long cost = cost(payload);
    if (count == 0) {
      first = payload;
      firstPromise = promise;
    } else {
      if (others == null) {
        others = new ArrayDeque<>();
      }
      others.addLast(new Entry(payload, promise));
    }
    count++;
    waiting += cost;
    return cost;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /// Marks all messages as flushed. A promise can be cancelled until [#encrypt] claims it.
  void flush() {
    flushed = count;
  }

  boolean hasFlushed() {
    return flushed > 0;
  }

  /// Encrypts flushed messages.
  ///
  /// @param limit the maximum number of bytes to encrypt; the rest of a longer message stays queued
  /// @param now the time of the loop in nanoseconds
  /// @throws IOException if a file cannot be read, or encryption failed
  void encrypt(TlsEngine engine, int limit, long now) throws IOException {
    if (now - lastSent > IDLE_NANOS) {
      shortLeft = SHORT_BYTES;
    }
    lastSent = now;
    int left = limit;
    try {
      while (flushed > 0 && left > 0) {
        left -= encryptFirst(engine, left);
      }
      writeMerged(engine);
    } finally {
      if (merged != null) {
        merged.release();
        merged = null;
      }
    }
  }

  private int encryptFirst(TlsEngine engine, int left) throws IOException {
    Payload payload = Objects.requireNonNull(first);
    if (firstPromise != null && !firstPromise.claim() && firstPromise.isCancelled()) {
      uncount(cost(payload));
      payload.release();
      removeFirst(false);
      return 0;
    }
    long size = payload.size();
    if (size <= left && payload instanceof ByteBuf whole) {
      uncount(cost(whole));
      removeFirst(true);
      encryptWhole(engine, whole);
      return (int) size;
    }
    long before = Messages.memory(payload);
    ByteBuf piece = piece(payload, left);
    int length = piece.readableBytes();
    uncount(before - Messages.memory(payload));
    write(engine, piece);
    if (length == size) {
      uncount(MESSAGE);
      payload.release();
      removeFirst(true);
    }
    return length;
  }

  private void uncount(long bytes) {
    waiting -= bytes;
    done += bytes;
  }

  private ByteBuf piece(Payload payload, int left) throws IOException {
    return switch (payload) {
      case ByteBuf buffer -> buffer.readSlice(Math.min(left, buffer.readableBytes()));
      case CompositeByteBuf composite -> {
        int length = Math.min(left, composite.readableBytes());
        CompositeByteBuf part = composite.slice(composite.readerIndex(), length);
        try {
          ByteBuf copy = part.copy();
          composite.readerIndex(composite.readerIndex() + length);
          yield copy;
        } finally {
          part.release();
        }
      }
      case FileRegion file when file.size() == 0 -> ByteBuf.wrap();
      case FileRegion file -> {
        ByteBuf bytes = FilePiece.read(file, allocator, left);
        file.advance(bytes.readableBytes());
        yield bytes;
      }
    };
  }

  private void encryptWhole(TlsEngine engine, ByteBuf whole) throws TlsException {
    int size = whole.readableBytes();
    @Nullable ByteBuf before = merged;
    if (size >= FULL_RECORD || (before == null && flushed == 0)) {
      write(engine, whole);
      return;
    }
    if (before != null && before.readableBytes() + size > FULL_RECORD) {
      writeMerged(engine);
      before = null;
    }
    if (before == null) {
      before = allocator.allocate(size);
      merged = before;
    }
    try {
      before.ensureWritable(size).writeBytes(whole);
    } finally {
      whole.release();
    }
  }

  private void writeMerged(TlsEngine engine) throws TlsException {
    @Nullable ByteBuf all = merged;
    if (all != null) {
      merged = null;
      encryptRecords(engine, all);
    }
  }

  /// Encrypts a buffer behind those that wait to be merged. Takes ownership.
  private void write(TlsEngine engine, ByteBuf plaintext) throws TlsException {
    try {
      writeMerged(engine);
    } catch (TlsException e) {
      plaintext.release();
      throw e;
    }
    encryptRecords(engine, plaintext);
  }

  private void encryptRecords(TlsEngine engine, ByteBuf plaintext) throws TlsException {
    if (plaintext.readableBytes() <= SHORT_RECORD || shortLeft <= 0) {
      shortLeft = Math.max(0, shortLeft - plaintext.readableBytes());
      engine.write(plaintext);
      return;
    }
    try {
      while (shortLeft > 0 && plaintext.readableBytes() > SHORT_RECORD) {
        shortLeft -= SHORT_RECORD;
        engine.write(plaintext.readSlice(SHORT_RECORD));
      }
    } catch (TlsException e) {
      plaintext.release();
      throw e;
    }
    engine.write(plaintext);
  }

  private void removeFirst(boolean complete) {
    @Nullable Promise<Void> promise = firstPromise;
    if (complete && promise != null) {
      if (completed == null) {
        completed = promise;
      } else {
        if (moreCompleted == null) {
          moreCompleted = new ArrayList<>();
        }
        moreCompleted.add(promise);
      }
    }
    count--;
    flushed--;
    @Nullable Entry next = others == null ? null : others.pollFirst();
    first = next == null ? null : next.payload;
    firstPromise = next == null ? null : next.promise;
    if (next == null) {
      others = null;
    }
  }

  /// The promises of the messages that were encrypted since the last call; empty if there are none.
  List<Promise<Void>> takeCompleted() {
    @Nullable Promise<Void> one = completed;
    if (one == null) {
      return List.of();
    }
    completed = null;
    @Nullable List<Promise<Void>> more = moreCompleted;
    if (more == null) {
      return List.of(one);
    }
    moreCompleted = null;
    more.addFirst(one);
    return more;
  }

  /// What the messages counted that left the queue since the last call.
  long takeDone() {
    long bytes = done;
    done = 0;
    return bytes;
  }

  /// Discards all messages.
  ///
  /// @return the number of messages without a promise
  int fail(Throwable cause) {
    int silent = 0;
    while (first != null) {
      Payload payload = first;
      @Nullable Promise<Void> promise = firstPromise;
      removeFirst(false);
      Messages.discard(payload);
      if (promise == null) {
        silent++;
      } else {
        promise.tryFailure(cause);
      }
    }
    flushed = 0;
    uncount(waiting); // a message that the program released by mistake has no size
    for (Promise<Void> promise : takeCompleted()) {
      promise.tryFailure(cause);
    }
    return silent;
  }
}
