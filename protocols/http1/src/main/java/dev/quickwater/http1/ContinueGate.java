package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Stands between an exchange and the framer. It holds the body of a request that expects 100
/// (Continue) until 100 or a final response arrives, or until [#LIMIT] has passed (RFC 9110 section
/// 10.1.1).
///
/// ```
/// OPEN --close--> CLOSED --open, drop--> OPEN
/// ```
///
/// Loop only.
final class ContinueGate {

  /// How long the body waits. The wait is limited because many servers ignore the expectation.
  static final long LIMIT = TimeUnit.SECONDS.toNanos(1);

  private final RequestFramer framer;
  private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(0);
  private long heldBytes;
  private long due = ConnectionClock.NEVER;
  private @Nullable HttpHeaders trailers;

  ContinueGate(RequestFramer framer) {
    this.framer = framer;
  }

  boolean isClosed() {
    return due != ConnectionClock.NEVER;
  }

  /// When the body is sent although no response has arrived, or [ConnectionClock#NEVER].
  long due() {
    return due;
  }

  long heldBytes() {
    return heldBytes;
  }

  /// Holds all later writes.
  void close(long now) {
    due = now + LIMIT;
  }

  /// Writes or holds a part of the body; takes ownership.
  void write(ByteBuf bytes) {
    if (isClosed()) {
      heldBytes += bytes.readableBytes();
      held.add(bytes);
    } else {
      framer.body(bytes);
    }
  }

  /// Writes or holds the end of the body.
  ///
  /// @return true if it was written
  boolean end(HttpHeaders fields) {
    if (isClosed()) {
      trailers = fields;
      return false;
    }
    framer.end(fields);
    return true;
  }

  /// Writes what is held.
  ///
  /// @return true if the end of the body was written
  boolean open() {
    due = ConnectionClock.NEVER;
    heldBytes = 0;
    for (@Nullable ByteBuf next; (next = held.poll()) != null; ) {
      framer.body(next);
    }
    @Nullable HttpHeaders end = trailers;
    trailers = null;
    if (end != null) {
      framer.end(end);
    }
    return end != null;
  }

  /// Releases what is held.
  void drop() {
    due = ConnectionClock.NEVER;
    heldBytes = 0;
    trailers = null;
    held.forEach(ByteBuf::release);
    held.clear();
  }
}
