package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A request's body as a blocking stream: filled on the loop, read by a virtual thread.
///
/// The body is asked for when it is first read. The peer is held back while more than [#HIGH] bytes
/// wait here. Small pieces are copied together: a piece holds the whole buffer that it came in, and
/// a peer that sends byte by byte must not make a multiple of its bytes wait.
final class BodyStream extends InputStream implements BodyReader {

  private static final int HIGH = 64 << 10;
  private static final int LOW = 16 << 10;
  private static final int SMALL = 1 << 10;
  private static final int JOINED = 4 << 10;

  private final HttpExchange exchange;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<ByteBuf> buffers = new ArrayDeque<>();

  // Guarded by the lock.
  /// The buffer that small pieces are copied to, when it is the last.
  private @Nullable ByteBuf joined;

  private int waiting;
  private boolean asked;
  private boolean held;
  private boolean ended;
  private boolean finished;
  private @Nullable Throwable failure;

  BodyStream(HttpExchange exchange) {
    this.exchange = exchange;
  }

  // ---- on the loop ----

  @Override
  public void data(ByteBuf bytes) {
    lock.lock();
    try {
      if (finished) {
        bytes.release();
        return;
      }
      int length = bytes.readableBytes();
      add(bytes);
      waiting += length;
      if (waiting > HIGH && !held) {
        held = true;
        exchange.pause();
      }
      changed.signalAll();
    } catch (Throwable t) {
      abort(t); // or its reader waits for ever, since the connection answers for it
      throw t;
    } finally {
      lock.unlock();
    }
  }

  private void add(ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (length >= SMALL) {
      buffers.add(bytes);
      return;
    }
    try {
      @Nullable ByteBuf last = joined;
      if (last == null || last != buffers.peekLast() || last.writableBytes() < length) {
        last = exchange.channel().loop().allocator().allocate(JOINED, JOINED);
        joined = last;
        buffers.add(last);
      }
      last.writeBytes(bytes);
    } finally {
      bytes.release();
    }
  }

  @Override
  public void end(HttpHeaders trailers) {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void abort(Throwable cause) {
    lock.lock();
    try {
      failure = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The handler is through: nothing is kept any more, and what is left of the body is for the
  /// connection to discard.
  void finish() {
    lock.lock();
    try {
      finished = true;
      buffers.forEach(ByteBuf::release);
      buffers.clear();
      waiting = 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (exchange.channel().loop().inLoop()) {
      exchange.pause();
    }
  }

  // ---- on the handler's thread ----

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
      if (!asked) {
        asked = true;
        onLoop(() -> exchange.read(this));
      }
      while (buffers.isEmpty()) {
        if (failure != null) {
          throw new IOException("the request was broken off", failure);
        }
        if (ended) {
          return -1;
        }
        if (finished) {
          throw new IOException("the request has been answered");
        }
        await();
      }
      return take(target, offset, length);
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // its caller is the loop
  private void await() throws IOException {
    try {
      changed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new java.io.InterruptedIOException("interrupted while waiting for a body");
    }
  }

  private int take(byte[] target, int offset, int length) throws IOException {
    ByteBuf first = buffers.getFirst();
    int count = Math.min(length, first.readableBytes());
    first.readBytes(target, offset, count);
    if (!first.isReadable()) {
      buffers.removeFirst();
      first.release();
    }
    waiting -= count;
    if (held && waiting < LOW) {
      held = false;
      onLoop(exchange::resume);
    }
    return count;
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  private void onLoop(Runnable task) throws IOException {
    try {
      exchange.channel().loop().execute(task);
    } catch (RejectedExecutionException e) {
      throw new IOException("the server has ended", e);
    }
  }
}
