package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.http.BodyOutputStream;
import dev.quickwater.http.BodyWriter;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Runs the writer of a streamed body on a virtual thread. The writer waits while the peer accepts
/// nothing, and is interrupted when the exchange ends early.
///
/// Bytes are collected in a buffer of the writer's thread. It is handed to the loop when it is full
/// or flushed. One buffer is in flight at a time.
final class BodyStreamer extends BodyOutputStream {

  private static final int CHUNK = 16 << 10;

  private final AbstractExchange exchange;
  private final byte[] chunk = new byte[CHUNK];
  private int length;
  private HttpHeaders trailers = HttpHeaders.EMPTY;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private boolean inFlight;
  private @Nullable Outcome outcome;

  private BodyStreamer(AbstractExchange exchange) {
    this.exchange = exchange;
  }

  /// Runs `writer` for the body of a promised response.
  static void start(ServerExchange exchange, ResponseHead head, BodyWriter writer) {
    if (!exchange.fulfil(head)) {
      return;
    }
    run(exchange, writer);
  }

  /// Runs `writer` for the outgoing body of `exchange`.
  static void run(AbstractExchange exchange, BodyWriter writer) {
    BodyStreamer stream = new BodyStreamer(exchange);
    Thread thread = Thread.ofVirtual().unstarted(() -> stream.run(writer));
    exchange.onEnd(end -> stream.ended(end, thread));
    thread.start();
  }

  /// Sends a file through the transformations of an exchange whose head has left; takes ownership.
  static void pump(ServerExchange exchange, FileRegion file) {
    BodyStreamer stream = new BodyStreamer(exchange);
    Thread thread = Thread.ofVirtual().unstarted(() -> stream.run(out -> copy(file, out)));
    exchange.onEnd(end -> stream.ended(end, thread));
    thread.start();
  }

  private static void copy(FileRegion file, BodyOutputStream out) throws IOException {
    ByteBuf piece = ByteBufAllocator.shared().allocate(CHUNK); // files read into native memory
    try {
      while (file.size() > 0) {
        piece.clear();
        int count = (int) Math.min(file.size(), CHUNK);
        int read = file.source().read(file.position(), piece, count);
        if (read < 0) {
          throw new IOException("the file is shorter than when it was opened");
        }
        byte[] bytes = piece.readBytes(piece.readableBytes());
        out.write(bytes, 0, bytes.length);
        file.advance(read);
      }
    } finally {
      piece.release();
      file.release();
    }
  }

  private void run(BodyWriter writer) {
    try {
      writer.write(this);
      send(true);
    } catch (Throwable t) {
      if (!hasEnded()) {
        exchange.submit(() -> exchange.failed(t));
      }
    }
  }

  private boolean hasEnded() {
    lock.lock();
    try {
      return outcome != null;
    } finally {
      lock.unlock();
    }
  }

  /// On the loop: the exchange has ended.
  private void ended(Outcome end, Thread thread) {
    lock.lock();
    try {
      outcome = end;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (!end.isCompleted()) {
      thread.interrupt();
    }
  }

  // ---- on the writer's thread ----

  @Override
  public void write(int b) throws IOException {
    if (length == CHUNK) {
      send(false);
    }
    chunk[length++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, bytes.length);
    int at = offset;
    int left = count;
    while (left > 0) {
      if (length == CHUNK) {
        send(false);
      }
      int part = Math.min(left, CHUNK - length);
      System.arraycopy(bytes, at, chunk, length, part);
      length += part;
      at += part;
      left -= part;
    }
  }

  @Override
  public void trailers(HttpHeaders fields) {
    trailers = fields;
  }

  @Override
  public void flush() throws IOException {
    send(false);
    awaitWritable();
  }

  @Override
  public void close() throws IOException {
    flush();
  }

  private void send(boolean last) throws IOException {
    awaitWritable();
    byte[] bytes = java.util.Arrays.copyOf(chunk, length);
    length = 0;
    lock.lock();
    try {
      inFlight = true;
    } finally {
      lock.unlock();
    }
    try {
      exchange.execute(() -> transfer(bytes, last));
    } catch (RejectedExecutionException e) {
      throw new IOException("the event loop has ended", e);
    }
  }

  /// On the loop.
  private void transfer(byte[] bytes, boolean last) {
    if (bytes.length > 0) {
      exchange.write(exchange.loop().allocator().allocate(bytes.length).writeBytes(bytes));
    }
    if (last) {
      exchange.end(trailers);
    } else {
      exchange.flush();
    }
    if (exchange.isWritable()) {
      arrived();
    } else {
      exchange.onWritable(this::arrived);
    }
  }

  private void arrived() {
    lock.lock();
    try {
      inFlight = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitWritable() throws IOException {
    lock.lock();
    try {
      while (true) {
        if (outcome != null) {
          throw new ExchangeEndedException(outcome);
        }
        if (!inFlight) {
          return;
        }
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the peer accepts nothing");
    } finally {
      lock.unlock();
    }
  }
}
