package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.AbstractExchange;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// One stream: its state, received bytes that were not read, and written bytes that were not sent.
///
/// - **Received bytes** without a waiting reader are copied into one buffer of the stream. A slice
///   of the receive buffer would pin a large block for a few bytes.
/// - **Written bytes** wait here until the windows and the channel accept them. A flush cuts them
///   into frames.
///
/// Loop only. The engine owns the stream; handlers see only the exchange.
final class Stream extends StreamFlow {

  private static final int MIN_INCOMING = 512;

  final Http2Engine engine;

  StreamState state = StreamState.IDLE;

  /// Null for a stream without an exchange.
  @Nullable AbstractExchange exchange;

  /// The channel that uses the stream; null for a stream with an exchange.
  @Nullable StreamChannelIo tunnel;

  /// When the stream last sent or received bytes, in nanoseconds of the loop's clock.
  long progressed;

  // ---- input ----

  /// Bytes that were received and not delivered.
  private @Nullable ByteBuf incoming;

  /// The number of bytes of the last delivery. Their credit returns with the next read.
  int uncredited;

  /// The rest of the announced length; -1 if no length was announced.
  long expected = -1;

  /// Bytes of the body that were dropped.
  int discarded;

  /// The trailers; null until the peer has ended its direction.
  @Nullable HttpHeaders trailers;

  /// The rate at which the body arrives. The first check of the deadlines that finds a waiting
  /// reader creates it, because most bodies end before that; null until then.
  @Nullable BodyRate rate;

  // ---- output ----

  /// The rate at which the peer accepts what is queued; null while nothing is.
  @Nullable BodyRate sending;

  private @Nullable ByteBuf first;
  private @Nullable ArrayDeque<ByteBuf> more;

  /// The trailers that follow the queued bytes; null until the end is written.
  @Nullable HttpHeaders ending;

  /// True if the handler has received the exchange, or this side opened it.
  boolean begun;

  /// True while the client waits for 100 (Continue), on either side.
  boolean continueAwaited;

  /// True if the head of the final response was sent or received.
  boolean answered;

  /// True if received bytes are dropped.
  boolean discarding;

  /// True if a task will deliver stored bytes to the waiting reader.
  boolean readerWaits;

  /// True if the engine has removed the stream.
  boolean removed;

  /// True if the connection has ended, but the message of the peer is complete and can be read.
  boolean detached;

  /// Written bytes that wait for 100 (Continue).
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

  /// Moves the stored bytes to array memory, because the reader may never take them.
  void detach() {
    detached = true;
    if (incoming != null) {
      ByteBuf stored = incoming;
      incoming = ByteBuf.wrap(stored.readBytes(stored.readableBytes()));
      stored.release();
    }
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
    if (tunnel != null) {
      return tunnel.take(limit);
    }
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
    return engine.bodiesOut.send(this, allowed);
  }

  /// Releases all bytes, but not those that can be read after the end of the connection.
  void release() {
    if (incoming != null && !detached) {
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
