package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.common.LoopThread;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a buffer cost that one thread allocates and another one releases?
///
/// The time is that of the slower of the two threads, for one buffer. Buffers change hands 512 at a
/// time in arrays that circulate through two queues, so that the cost of the queues is one offer
/// and one poll for 512 buffers. The allocating thread is a Netty thread; the releasing thread has
/// the type that each library uses for its loops. A batch is one turn of a Quickwater loop.
public class HandOverBenchmark extends PairedBenchmark {

  private static final int BATCH = 512;
  private static final int BATCHES = 4;

  @Param({"256", "4096"})
  public int size;

  private final LoopAllocator ours = new LoopAllocator();
  private final ByteBufAllocator theirs = ByteBufAllocator.DEFAULT;
  private final SpscArrayQueue<Object[]> full = new SpscArrayQueue<>(BATCHES);
  private final SpscArrayQueue<Object[]> empty = new SpscArrayQueue<>(BATCHES);
  private @Nullable Thread releaser;
  private volatile boolean done;

  public HandOverBenchmark() {
    ours.attach();
  }

  @Setup
  public void start() {
    for (int i = 0; i < BATCHES; i++) {
      empty.add(new Object[BATCH]);
    }
  }

  private void start(Thread thread) {
    thread.setDaemon(true);
    thread.start();
    releaser = thread;
  }

  @TearDown
  public void stop() throws InterruptedException {
    done = true;
    if (releaser != null) {
      releaser.join();
    }
    ours.detach();
  }

  private void releaseAsALoop() {
    LoopAllocator own = new LoopAllocator();
    own.attach();
    releaseAll(own::publishReleased);
    own.detach();
  }

  private void releaseAll(Runnable endOfTurn) {
    while (true) {
      boolean last = done;
      Object[] batch = full.poll();
      if (batch != null) {
        release(batch);
        endOfTurn.run();
        empty.offer(batch);
      } else if (last) {
        return;
      } else {
        Thread.yield();
      }
    }
  }

  private static void release(Object[] batch) {
    for (Object buffer : batch) {
      if (buffer instanceof ByteBuf our) {
        our.release();
      } else {
        ((ReferenceCounted) buffer).release();
      }
    }
  }

  private Object[] takeEmpty() {
    Object[] batch;
    while ((batch = empty.poll()) == null) {
      Thread.yield();
    }
    return batch;
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void quickwaterRelease() {
    if (releaser == null) {
      start(new LoopThread("releaser", this::releaseAsALoop));
    }
    Object[] batch = takeEmpty();
    for (int i = 0; i < BATCH; i++) {
      batch[i] = ours.allocate(size).setByte(0, 1);
    }
    full.offer(batch);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void nettyRelease() {
    if (releaser == null) {
      start(new FastThreadLocalThread(() -> releaseAll(() -> {}), "releaser"));
    }
    Object[] batch = takeEmpty();
    for (int i = 0; i < BATCH; i++) {
      batch[i] = theirs.directBuffer(size).setByte(0, 1);
    }
    full.offer(batch);
  }
}
