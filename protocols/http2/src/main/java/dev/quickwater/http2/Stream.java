package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.AbstractExchange;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// One stream: its state, what was received and not read, and what was written and not sent.
///
/// - **Received bytes** that no reader waits for are copied into one buffer of the stream. A slice
///   of the receive buffer would pin a large block for a few bytes.
/// - **Written bytes** wait here until the windows and the channel accept them. Frames are cut when
///   the connection flushes.
///
/// Loop only. The engine owns it; handlers see the exchange.
final class Stream extends StreamFlow {

  private static final int MIN_INCOMING = 512;

  final Http2Engine engine;

  StreamState state = StreamState.IDLE;

  /// Null for a stream without an exchange.
  @Nullable AbstractExchange exchange;

  /// When bytes were sent or received last, in nanoseconds of the loop's clock.
  long progressed;

  // ---- input ----

  /// Bytes that were received and not delivered.
  private @Nullable ByteBuf incoming;

  /// Bytes that were delivered last: their credit returns with the next read.
  int uncredited;

  /// Bytes that the announced length still requires; -1 if no length was announced.
  long expected = -1;

  /// Bytes of the body that were dropped.
  int discarded;

  /// The peer has ended its direction; these are the trailers.
  @Nullable HttpHeaders trailers;

  /// The rate at which the body arrives; null until a reader waits.
  @Nullable BodyRate rate;

  // ---- output ----

  private @Nullable ByteBuf first;
  private @Nullable ArrayDeque<ByteBuf> more;

  /// The trailers that follow the queued bytes; null before the end was written.
  @Nullable HttpHeaders ending;

  /// The handler has received the exchange.
  boolean begun;

  /// The peer waits for 100 (Continue), or this side does.
  boolean continueAwaited;

  /// A final head was sent, or received.
  boolean answered;

  /// What is received is dropped.
  boolean discarding;

  /// A reader waits for a task that delivers what is there.
  boolean readerWaits;

  /// The engine has no such stream any more.
  boolean removed;

  /// Bytes that wait for 100 (Continue).
  int heldBytes;

  /// Bytes of the decoded fields of the request.
  int fieldBytes;

  Stream(Http2Engine engine, int id) {
    super(id);
    this.engine = engine;
  }

  // ---- input ----

  /// Keeps a copy of received bytes; does not take ownership.
  void store(ByteBuf bytes, ByteBufAllocator allocator) {
    int length = bytes.readableBytes();
    if (length == 0) {
      return;
    }
    ByteBuf kept = incoming;
    if (kept == null) {
      kept = allocator.allocate(Math.max(length, MIN_INCOMING), Integer.MAX_VALUE);
      incoming = kept;
    }
    kept.writeBytes(bytes);
  }

  boolean hasIncoming() {
    return incoming != null;
  }

  /// All stored bytes; the caller owns them.
  ByteBuf takeIncoming() {
    ByteBuf all = incoming;
    if (all == null) {
      throw new IllegalStateException("no bytes are stored");
    }
    incoming = null;
    return all;
  }

  // ---- output ----

  /// Queues bytes; takes ownership.
  void add(ByteBuf bytes) {
    if (first == null) {
      first = bytes;
      return;
    }
    if (more == null) {
      more = new ArrayDeque<>(4);
    }
    more.add(bytes);
  }

  boolean hasOutgoing() {
    return first != null;
  }

  /// Up to `limit` bytes of the first queued buffer; the caller owns them.
  ByteBuf takeOutgoing(int limit) {
    ByteBuf head = first;
    if (head == null) {
      throw new IllegalStateException("no bytes are queued");
    }
    if (head.readableBytes() > limit) {
      return head.readSlice(limit);
    }
    first = more == null ? null : more.poll();
    return head;
  }

  @Override
  int send(int allowed) {
    return engine.send(this, allowed);
  }

  /// Releases all bytes.
  void release() {
    if (incoming != null) {
      incoming.release();
      incoming = null;
    }
    releaseOutgoing();
  }

  /// Releases the bytes that wait to be sent.
  void releaseOutgoing() {
    while (first != null) {
      takeOutgoing(Integer.MAX_VALUE).release();
    }
  }
}
