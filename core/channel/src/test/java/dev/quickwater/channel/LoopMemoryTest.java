package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.common.Promise;
import dev.quickwater.common.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a loop does with memory before it sleeps.
class LoopMemoryTest {

  /// Nothing ever happens here: a wait that ends passes in no time, one that does not lasts until
  /// the loop is woken.
  private final class QuietPoller implements IoPoller {

    final Semaphore asleep = new Semaphore(0);
    final Semaphore woken = new Semaphore(0);
    final AtomicInteger wakeups = new AtomicInteger();
    final List<Long> waits = new ArrayList<>();
    volatile boolean failsToClose;

    @Override
    public void poll(long nanos, Runnable awake) {
      if (nanos == Long.MAX_VALUE) {
        asleep.release();
        woken.acquireUninterruptibly();
      } else if (nanos > 0) {
        waits.add(nanos);
        clock.advance(Duration.ofNanos(nanos));
      }
      awake.run();
    }

    @Override
    public void wakeup() {
      wakeups.incrementAndGet();
      woken.release();
    }

    @Override
    public void close() {
      if (failsToClose) {
        throw new IllegalStateException("the poller does not close");
      }
    }
  }

  private final VirtualClock clock = new VirtualClock();
  private final QuietPoller poller = new QuietPoller();
  private final EventLoop loop = new EventLoop("quiet", poller, clock);

  @BeforeEach
  void start() throws Exception {
    loop.start();
    untilItSleeps();
  }

  @AfterEach
  void stop() throws Exception {
    loop.shutdown();
    loop.ended().await(Duration.ofSeconds(10));
  }

  private void untilItSleeps() throws InterruptedException {
    assertTrue(poller.asleep.tryAcquire(10, TimeUnit.SECONDS), "the loop does not come to rest");
  }

  private List<ByteBuf> allocateOnTheLoop(int count, int size) throws Exception {
    Promise<List<ByteBuf>> made = new Promise<>(loop);
    loop.execute(() -> {
      List<ByteBuf> buffers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        buffers.add(loop.allocator().allocate(size));
      }
      made.trySuccess(buffers);
    });
    return made.await(Duration.ofSeconds(10));
  }

  @Test
  void loopReturnsMemoryAfterAnIdleSecond() throws Exception {
    long before = loop.metrics().reservedBytes();
    List<ByteBuf> buffers = allocateOnTheLoop(100, 30_000);
    untilItSleeps();
    assertTrue(loop.metrics().reservedBytes() - before >= 3_000_000);
    loop.execute(() -> buffers.forEach(ByteBuf::release));
    untilItSleeps();
    assertEquals(Set.of(1_000_000_000L), Set.copyOf(poller.waits));
    assertTrue(loop.metrics().reservedBytes() <= before);
  }

  /// Large blocks are in no page, and no loop owns them while they are free.
  @Test
  void idleLoopReturnsLargeBlocksToTheSystem() throws Exception {
    long before = AllocatorMetrics.reservedInProcess();
    List<ByteBuf> buffers = allocateOnTheLoop(15, 1 << 20);
    untilItSleeps();
    assertTrue(AllocatorMetrics.reservedInProcess() - before >= 15 << 20);
    loop.execute(() -> buffers.forEach(ByteBuf::release));
    untilItSleeps();
    assertTrue(AllocatorMetrics.reservedInProcess() <= before);
  }

  @Test
  void megabyteReleasedElsewhereWakesTheLoopOnce() throws Exception {
    List<ByteBuf> buffers = allocateOnTheLoop(24, 64 << 10);
    untilItSleeps();
    int wakeups = poller.wakeups.get();
    buffers.subList(0, 15).forEach(ByteBuf::release);
    assertEquals(wakeups, poller.wakeups.get());
    buffers.subList(15, 24).forEach(ByteBuf::release);
    untilItSleeps();
    assertEquals(wakeups + 1, poller.wakeups.get());
    assertEquals(0, loop.metrics().usedBytes());
  }

  /// Otherwise nobody would ever take over what is released after the loop's end.
  @Test
  void loopWhosePollerFailsToCloseReleasesItsHeap() throws Exception {
    List<ByteBuf> buffers = allocateOnTheLoop(10, 3_000);
    untilItSleeps();
    poller.failsToClose = true;
    loop.shutdown();
    loop.ended().await(Duration.ofSeconds(10));
    assertEquals(0, loop.metrics().reservedBytes());
    buffers.forEach(ByteBuf::release);
  }
}
