package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunQueueWakeTest {

  private final VirtualClock clock = new VirtualClock();
  private final CountingWaker waker = new CountingWaker();
  private final SteppedExecutor executor = Stepped.on(clock, waker);
  private final RunQueue queue = executor.queue;

  private void executeElsewhere(int times) throws Exception {
    Threads.elsewhere(() -> {
      for (int i = 0; i < times; i++) {
        executor.execute(() -> {});
      }
    });
  }

  @Test
  void awakeDriverIsNotWoken() throws Exception {
    executeElsewhere(100);
    assertEquals(0, waker.wakes());
    assertEquals(100, executor.step());
  }

  @Test
  void blockedDriverIsWokenOnceForManyTasks() throws Exception {
    assertEquals(Long.MAX_VALUE, queue.prepareToBlock());
    executeElsewhere(100);
    assertEquals(1, waker.wakes());
    queue.awake();
    executeElsewhere(1);
    assertEquals(1, waker.wakes());
  }

  @Test
  void driverDoesNotWakeItself() {
    queue.prepareToBlock();
    executor.execute(() -> {});
    assertEquals(0, waker.wakes());
  }

  @Test
  void driverWithWorkDoesNotBlock() throws Exception {
    executeElsewhere(1);
    assertEquals(0, queue.prepareToBlock());
    executeElsewhere(1);
    assertEquals(0, waker.wakes());
  }

  @Test
  void driverBlocksUntilTheFirstTimer() {
    executor.schedule(() -> {}, Duration.ofNanos(700));
    executor.schedule(() -> {}, Duration.ofNanos(300));
    assertEquals(300, queue.prepareToBlock());
    queue.awake();
    clock.advance(Duration.ofNanos(300));
    assertEquals(0, queue.prepareToBlock());
    assertEquals(1, executor.step());
    assertEquals(400, queue.prepareToBlock());
  }

  @Test
  void awakeReadsTheClock() {
    clock.advance(Duration.ofSeconds(1));
    assertEquals(0, queue.now());
    queue.awake();
    assertEquals(1_000_000_000, queue.now());
  }

  /// Every task wakes or is seen: a lost wake-up stops this test at the semaphore. As with a parked
  /// thread, permits do not add up, or one too many would stand in for a lost one.
  @Test
  void noWakeUpIsLostBetweenProducersAndADriverThatBlocks() throws Exception {
    int total = 200_000;
    Semaphore permit = new Semaphore(0);
    AtomicInteger wakes = new AtomicInteger();
    int[] ran = {0};
    int[] announced = {0};
    RunQueue racing =
        new RunQueue(
            "racing",
            Clock.system(),
            () -> {
              wakes.incrementAndGet();
              permit.release();
            });
    FutureTask<Void> driver =
        Threads.start(() -> {
          racing.bind();
          while (ran[0] < total) {
            if (racing.runReady(64) == 0) {
              announced[0]++;
              if (racing.prepareToBlock() > 0) {
                permit.acquire();
              }
            }
            racing.awake();
            permit.drainPermits();
          }
        });
    Threads.together(
        2,
        _ -> {
          for (int i = 0; i < total / 2; i++) {
            racing.execute(() -> ran[0]++);
          }
        });
    Threads.join(driver);
    assertEquals(total, ran[0]);
    assertTrue(wakes.get() <= announced[0], wakes + " wake-ups, announced " + announced[0]);
  }
}
