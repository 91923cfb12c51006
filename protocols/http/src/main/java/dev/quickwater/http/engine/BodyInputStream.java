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
/// The next piece is requested when the thread starts to read the previous one, so the loop
/// receives while the thread works. At most two pieces are held.
public final class BodyInputStream extends InputStream implements BodyReader {

  private final Exchange exchange;
  private final IncomingBody body;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private enum Arrival {
    IDLE,
    REQUESTED,
    ENDED
  }

  /// The code that may still read.
  private enum Consumer {
    HANDLER,
    /// The writer of a streamed response: the handler has returned.
    WRITER,
    NONE
  }

  // Guarded by the lock.
  private @Nullable ByteBuf current;
  private @Nullable ByteBuf next;
  private Arrival arrival = Arrival.IDLE;
  private Consumer consumer = Consumer.HANDLER;

  /// How the exchange ended; null before. The exception is created only if a thread reads.
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
      arrival = Arrival.IDLE;
      if (consumer == Consumer.NONE) {
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
      arrival = Arrival.ENDED;
      trailers = fields;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The handler sees the failure when it reads, and decides the response.
  @Override
  public void failed(Exception cause) {
    lock.lock();
    try {
      arrival = Arrival.IDLE;
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
      if (consumer == Consumer.WRITER) {
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
      if (streams && exchangeOutcome == null) {
        consumer = Consumer.WRITER;
      } else {
        abandon();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Releases the piece that is held; later pieces are released on arrival.
  private void abandon() {
    consumer = Consumer.NONE;
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
      if (exchangeOutcome != null && arrival != Arrival.ENDED && failure == null) {
        failure = new ExchangeEndedException(exchangeOutcome);
      }
      if (consumer == Consumer.NONE && failure == null) {
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
        request();
        return current;
      }
      if (failure != null) {
        release();
        throw failure instanceof IOException io
            ? new IOException(io.getMessage(), io)
            : new IOException("the body cannot be read: " + failure.getMessage(), failure);
      }
      if (arrival == Arrival.ENDED) {
        return null;
      }
      request();
      await();
    }
  }

  private void request() throws IOException {
    if (arrival == Arrival.IDLE && failure == null) {
      arrival = Arrival.REQUESTED;
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
