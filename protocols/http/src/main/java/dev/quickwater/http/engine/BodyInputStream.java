package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.Exchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A received body as a stream, for one thread that may block.
///
/// The next piece is requested when the thread begins with the previous one, so that the loop
/// receives while the thread works; at most two pieces are held.
public final class BodyInputStream extends InputStream implements BodyReader {

  private final Exchange exchange;
  private final IncomingBody body;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private @Nullable ByteBuf current;
  private @Nullable ByteBuf next;
  private boolean asked;
  private boolean ended;
  private boolean abandoned;

  /// The handler has returned a response whose writer may read on.
  private boolean passedOn;

  /// How the exchange ended; null before. The exception is made only for a thread that reads.
  private @Nullable Outcome exchangeOutcome;

  private @Nullable Exception failure;
  private HttpHeaders trailers = HttpHeaders.EMPTY;

  /// The body of `exchange`, which reports its end to [#exchangeEnded].
  public BodyInputStream(Exchange exchange, IncomingBody body) {
    this.exchange = exchange;
    this.body = body;
  }

  // ---- on the loop ----

  @Override
  public void data(ByteBuf bytes) {
    lock.lock();
    try {
      asked = false;
      if (abandoned) {
        bytes.release();
      } else {
        next = bytes;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end(HttpHeaders fields) {
    lock.lock();
    try {
      asked = false;
      ended = true;
      trailers = fields;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The handler sees the failure when it reads; its answer to that is the answer of the exchange.
  @Override
  public void failed(Exception cause) {
    lock.lock();
    try {
      asked = false;
      failure = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The exchange has ended: reads fail unless the body is complete. Loop only.
  public void exchangeEnded(Outcome outcome) {
    lock.lock();
    try {
      exchangeOutcome = outcome;
      if (passedOn) {
        abandon();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- on the handler's thread ----

  /// The handler has returned.
  ///
  /// @param streams true if the writer of its response may read what is left, until the exchange
  ///   ends
  public void handlerReturned(boolean streams) {
    lock.lock();
    try {
      passedOn = streams;
      if (!streams || exchangeOutcome != null) {
        abandon();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Nothing is kept any more.
  private void abandon() {
    abandoned = true;
    release();
  }

  private void release() {
    if (current != null) {
      current.release();
      current = null;
    }
    if (next != null) {
      next.release();
      next = null;
    }
  }

  /// The trailers; empty before the end of the body.
  public HttpHeaders trailers() {
    lock.lock();
    try {
      return trailers;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      @Nullable ByteBuf piece = piece();
      if (piece == null) {
        return -1;
      }
      int count = Math.min(length, piece.readableBytes());
      piece.readBytes(target, offset, count);
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// The piece to read from, or null at the end.
  private @Nullable ByteBuf piece() throws IOException {
    while (true) {
      if (exchangeOutcome != null && !ended && failure == null) {
        failure = new ExchangeEndedException(exchangeOutcome);
      }
      if (abandoned && failure == null) {
        throw new IOException("the handler has returned");
      }
      if (current != null && current.isReadable()) {
        return current;
      }
      if (current != null) {
        current.release();
        current = null;
      }
      if (next != null) {
        current = next;
        next = null;
        ask();
        return current;
      }
      if (failure != null) {
        release();
        throw failure instanceof IOException io
            ? new IOException(io.getMessage(), io)
            : new IOException("the body cannot be read: " + failure.getMessage(), failure);
      }
      if (ended) {
        return null;
      }
      ask();
      await();
    }
  }

  private void ask() throws IOException {
    if (!asked && !ended && failure == null) {
      asked = true;
      try {
        exchange.execute(() -> body.read(this));
      } catch (RejectedExecutionException e) {
        throw new IOException("the event loop has ended", e);
      }
    }
  }

  @SuppressWarnings("WaitNotInLoop") // its caller is the loop
  private void await() throws IOException {
    try {
      changed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a body");
    }
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return (current == null ? 0 : current.readableBytes())
          + (next == null ? 0 : next.readableBytes());
    } finally {
      lock.unlock();
    }
  }
}
