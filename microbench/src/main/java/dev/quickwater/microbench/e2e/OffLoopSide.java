package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// One channel, connected to a thread of this process that reads and counts, and the calls that
/// [OffLoop] compares.
abstract class OffLoopSide implements AutoCloseable {

  /// What one run took.
  ///
  /// @param messagesPerFlush how many messages left with one flush of the pipeline
  record Cost(double nanosPerMessage, double messagesPerFlush) {}

  static final int MESSAGE = 64;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long REST = 50_000;
  private static final long FLOOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ServerSocket listener;
  private final AtomicLong received = new AtomicLong();

  OffLoopSide() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::readAll);
  }

  private void readAll() {
    byte[] into = new byte[256 << 10];
    try (Socket socket = listener.accept()) {
      int read;
      while ((read = socket.getInputStream().read(into)) >= 0) {
        received.addAndGet(read);
      }
    } catch (IOException _) {
      // the channel has closed
    }
  }

  final int port() {
    return listener.getLocalPort();
  }

  abstract boolean isWritable();

  /// Writes and flushes a message of so many bytes, from this thread.
  abstract void write(int bytes);

  /// Runs on the loop.
  abstract void execute(Runnable task);

  /// Flushes that have passed the pipeline; exact when the loop is idle.
  abstract long flushes();

  final Cost send(int messages) throws InterruptedException {
    long[] loop = new long[1];
    onLoop(() -> loop[0] = Thread.currentThread().threadId());
    long bytes = received.get() + (long) messages * MESSAGE;
    long flushes = flushes();
    long producer = Thread.currentThread().threadId();
    long before = THREADS.getThreadCpuTime(producer) + THREADS.getThreadCpuTime(loop[0]);
    for (int i = 0; i < messages; i++) {
      while (!isWritable()) {
        LockSupport.parkNanos(REST);
      }
      write(MESSAGE);
    }
    while (received.get() < bytes) {
      LockSupport.parkNanos(REST);
    }
    onLoop(() -> {});
    long nanos = THREADS.getThreadCpuTime(producer) + THREADS.getThreadCpuTime(loop[0]) - before;
    return new Cost((double) nanos / messages, (double) messages / (flushes() - flushes));
  }

  /// @return the bytes that were written before the channel was not writable
  final double flood(int message, int end) throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    execute(() -> await(busy));
    long start = System.nanoTime();
    long target = received.get();
    long written = 0;
    while (isWritable() && written < end && System.nanoTime() - start < FLOOD_NANOS) {
      write(message);
      written += message;
    }
    busy.countDown();
    while (received.get() < target + written) {
      LockSupport.parkNanos(REST);
    }
    return written;
  }

  final void onLoop(Runnable task) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    execute(() -> {
      task.run();
      done.countDown();
    });
    done.await();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
