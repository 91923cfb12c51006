package dev.quickwater.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Eight threads allocate, grow, share and release at random. Four have a heap, and two of these
/// detach from time to time. Four have no heap, and two of these are virtual. Half of the buffers
/// are passed to other threads. Every buffer has a stamp at both ends, which must stay while a
/// thread holds the buffer.
final class Soak {

  private static final int THREADS = 8;
  private static final int QUEUED = 2_000;

  private final boolean nativeMemory;
  private final long until;
  private final ConcurrentLinkedQueue<ByteBuf> handedOver = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicLong allocations = new AtomicLong();

  private Soak(boolean nativeMemory, long nanos) {
    this.nativeMemory = nativeMemory;
    this.until = System.nanoTime() + nanos;
  }

  /// Runs for about `millis` and returns how many buffers were allocated.
  static long run(boolean nativeMemory, long millis) throws Exception {
    Soak soak = new Soak(nativeMemory, TimeUnit.MILLISECONDS.toNanos(millis));
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      FutureTask<Void> task = new FutureTask<>(() -> soak.work(number), null);
      tasks.add(task);
      if (number < 6) {
        Thread.ofPlatform().daemon().start(task);
      } else {
        Thread.ofVirtual().start(task);
      }
    }
    for (FutureTask<Void> task : tasks) {
      task.get(millis + 60_000, TimeUnit.MILLISECONDS);
    }
    ByteBuf left;
    while ((left = soak.handedOver.poll()) != null) {
      soak.checkAndRelease(left);
    }
    return soak.allocations.get();
  }

  private void work(int number) {
    if (number < 4) {
      loop(number);
    } else {
      churn(SharedAllocator.of(nativeMemory), Long.MAX_VALUE);
    }
  }

  private void loop(int number) {
    while (System.nanoTime() < until) {
      LoopAllocator allocator = new LoopAllocator(nativeMemory);
      allocator.attach();
      try {
        churn(allocator, number < 2 ? Long.MAX_VALUE : 5_000);
        if (number % 2 == 0) {
          allocator.trim();
        }
      } finally {
        allocator.detach();
      }
    }
  }

  private void churn(ByteBufAllocator allocator, long most) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    ByteBuf[] mine = new ByteBuf[64];
    long count = 0;
    for (; count < most && ((count & 63) != 0 || System.nanoTime() < until); count++) {
      int slot = random.nextInt(mine.length);
      if (mine[slot] != null) {
        passOn(mine[slot], random);
      }
      mine[slot] = stamped(allocator, random);
      if (random.nextInt(50_000) == 0) {
        checkAndRelease(stamp(allocator.allocate(3 << 20), 3 << 20));
      }
    }
    for (ByteBuf buffer : mine) {
      if (buffer != null) {
        checkAndRelease(buffer);
      }
    }
    allocations.addAndGet(count);
  }

  private static ByteBuf stamped(ByteBufAllocator allocator, ThreadLocalRandom random) {
    int size = 16 + random.nextInt(1 << random.nextInt(4, 17));
    ByteBuf buffer = allocator.allocate(random.nextInt(8) == 0 ? size / 4 : size);
    return stamp(buffer, size);
  }

  private static ByteBuf stamp(ByteBuf buffer, int size) {
    long stamp = 0x5eed_0000_0000_0000L + size;
    return buffer.ensureWritable(size).setLong(0, stamp).setLong(size - 8, stamp).writerIndex(size);
  }

  private void passOn(ByteBuf buffer, ThreadLocalRandom random) {
    int kind = random.nextInt(4);
    if (kind == 0) {
      ByteBuf view = buffer.slice(0, 8);
      checkAndRelease(buffer);
      view.release();
    } else if (kind == 1 || queued.get() > QUEUED) {
      checkAndRelease(buffer);
    } else {
      if (kind == 2) {
        handedOver.add(buffer.share());
        queued.incrementAndGet();
      }
      handedOver.add(buffer);
      queued.incrementAndGet();
      ByteBuf other = handedOver.poll();
      if (other != null) {
        queued.decrementAndGet();
        checkAndRelease(other);
      }
    }
  }

  private void checkAndRelease(ByteBuf buffer) {
    int size = buffer.writerIndex();
    long stamp = 0x5eed_0000_0000_0000L + size;
    if (buffer.getLong(0) != stamp || buffer.getLong(size - 8) != stamp) {
      throw new AssertionError("somebody else has written into a buffer of " + size + " bytes");
    }
    buffer.release();
  }
}
