package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShutdownTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);

  @Test
  void hostOfAnExecutorThatHasEndedNeedNotComeBack() {
    executor.close();
    assertEquals(Long.MAX_VALUE, executor.nanosToWait());
  }

  @Test
  void groupHasOneEnd() {
    try (ExecutorGroup group = new ExecutorGroup("group", 2)) {
      assertSame(group.ended(), group.ended());
      assertSame(group.ended(), group.shutdown(LIMIT));
    }
  }

  @Test
  void laterRequestMovesTheLimitForwardOnly() {
    List<Future<Integer>> futures = new ArrayList<>();
    executor.execute(() -> {
      executor.shutdown(Duration.ofHours(2));
      executor.shutdown(Duration.ofHours(1));
      executor.shutdown(Duration.ofHours(3));
      clock.advance(Duration.ofHours(1).minusMillis(1));
    });
    futures.add(executor.submit(() -> 1));
    executor.execute(() -> clock.advance(Duration.ofMillis(1)));
    futures.add(executor.submit(() -> 1));
    executor.step();
    executor.step();
    assertTrue(futures.get(0).isSuccess());
    RejectedExecutionException e =
        assertInstanceOf(RejectedExecutionException.class, futures.get(1).cause());
    assertEquals(
        "executor 'test' has ended at the limit of its shutdown before it ran this task",
        e.getMessage());
  }

  @Test
  void taskThatQueuesItselfForEverIsCutAtTheLimit() {
    AtomicInteger ran = new AtomicInteger();
    executor.execute(
        new Runnable() {
          @Override
          public void run() {
            ran.incrementAndGet();
            clock.advance(Duration.ofMillis(10));
            executor.execute(this);
          }
        });
    executor.close();
    assertEquals(ExecutorState.ENDED, executor.state());
    assertEquals(500, ran.get());
  }

  /// The task gives up after a while, so that this fails instead of running for ever.
  @Test
  void taskThatQueuesItselfForEverIsCutThoughTheClockStandsStill() {
    long longAfter = System.nanoTime() + LIMIT.toNanos();
    AtomicBoolean gaveUp = new AtomicBoolean();
    executor.execute(
        new Runnable() {
          @Override
          public void run() {
            if (System.nanoTime() - longAfter < 0) {
              executor.execute(this);
            } else {
              gaveUp.set(true);
            }
          }
        });
    executor.shutdown(Duration.ofMillis(1));
    executor.shutdown(LIMIT);
    executor.step();
    assertEquals(ExecutorState.ENDED, executor.state());
    assertFalse(gaveUp.get());
  }

  @Test
  void periodicTaskEndsWithItsExecutor() {
    AtomicInteger ran = new AtomicInteger();
    Timer timer =
        executor.scheduleAtFixedRate(
            () -> {
              ran.incrementAndGet();
              executor.shutdown();
            },
            Duration.ZERO,
            Duration.ofSeconds(1));
    executor.step();
    executor.step();
    assertEquals(1, ran.get());
    assertFalse(timer.isPending());
  }

  @Test
  void limitMustNotBeNegative() {
    assertThrows(IllegalArgumentException.class, () -> executor.shutdown(Duration.ofNanos(-1)));
    assertEquals(ExecutorState.RUNNING, executor.state());
  }

  @Test
  void endedCannotBeCancelled() {
    assertFalse(executor.ended().cancel());
    assertSame(executor.ended(), executor.shutdown());
  }

  @Test
  void stateAfterTheLastIsRefused() {
    assertThrows(IllegalStateException.class, ExecutorState.ENDED::next);
  }

  @Test
  void hostOfAnotherThreadCannotStepNorEndIt() throws Exception {
    Threads.elsewhere(() -> {
      assertThrows(IllegalStateException.class, executor::step);
      executor.close();
    });
    assertEquals(ExecutorState.STOPPING, executor.state());
    executor.step();
    assertEquals(ExecutorState.ENDED, executor.state());
  }

  @Test
  void taskCannotStepTheExecutorThatRunsIt() {
    Future<Integer> future = executor.submit(executor::step);
    executor.step();
    assertInstanceOf(IllegalStateException.class, future.cause());
  }

  @Test
  void waitingHostIsWokenByAShutdown() throws Exception {
    CountingWaker waker = new CountingWaker();
    SteppedExecutor waiting = Stepped.on(clock, waker);
    assertEquals(Long.MAX_VALUE, waiting.nanosToWait());
    Threads.elsewhere(waiting::shutdown);
    assertEquals(1, waker.wakes());
    assertEquals(0, waiting.nanosToWait());
  }

  @Test
  void taskThatBlocksPastTheLimitDelaysTheEndAndHangsNobodyElse() throws Exception {
    ThreadExecutor blocked = new ThreadExecutor("blocked");
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Future<Boolean> running =
        blocked.submit(() -> {
          began.countDown();
          release.await();
          return true;
        });
    Future<Boolean> queued = blocked.submit(() -> true);
    began.await();
    Future<Void> ended = blocked.shutdown(Duration.ZERO);
    blocked.join(System.nanoTime() + 1_000_000); // gives up, and logs where the task is
    assertFalse(ended.isDone());
    assertEquals(ExecutorState.STOPPING, blocked.state());
    release.countDown();
    ended.await(LIMIT);
    assertEquals(true, running.value());
    assertInstanceOf(RejectedExecutionException.class, queued.cause());
    blocked.close();
  }

  @Test
  void closeBeforeTheFirstTaskAndFromManyThreads() throws Exception {
    for (int round = 0; round < 50; round++) {
      ThreadExecutor fresh = new ThreadExecutor("fresh");
      Threads.together(3, _ -> fresh.close());
      assertTrue(fresh.ended().isSuccess());
      assertEquals(ExecutorState.ENDED, fresh.state());
    }
  }

  @Test
  void closeOnAnotherLoopDoesNotWait() throws Exception {
    try (ThreadExecutor other = new ThreadExecutor("other")) {
      ThreadExecutor blocked = new ThreadExecutor("blocked");
      CountDownLatch release = new CountDownLatch(1);
      blocked.submit(() -> {
        release.await();
        return true;
      });
      Future<Boolean> closed =
          other.submit(() -> {
            blocked.close();
            return true;
          });
      assertTrue(closed.await(LIMIT));
      release.countDown();
      blocked.ended().await(LIMIT);
    }
  }

  @Test
  void groupSpreadsTasksAndEndsTogether() throws Exception {
    ExecutorGroup group = new ExecutorGroup("group", 3);
    List<Future<String>> names = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      names.add(group.next().submit(() -> Thread.currentThread().getName()));
    }
    Future<Void> ended = group.shutdown(LIMIT);
    assertFalse(ended.cancel());
    ended.await(LIMIT);
    group.close();
    assertEquals(
        List.of("group-1", "group-2", "group-3", "group-1", "group-2", "group-3"),
        names.stream().map(Future::value).toList());
    group.executors().forEach(each -> assertEquals(ExecutorState.ENDED, each.state()));
    assertNotNull(assertThrows(IllegalArgumentException.class, () -> new ExecutorGroup("no", 0)));
  }

  /// Not even the few that the queue still holds while more may come.
  @Test
  void tasksOfAnExecutorThatHasEndedAreForgotten() {
    List<WeakReference<Runnable>> tasks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      tasks.add(new WeakReference<>(executeOne()));
    }
    executor.close();
    for (int i = 0; i < 100 && left(tasks) > 0; i++) {
      System.gc();
    }
    assertEquals(0, left(tasks));
    assertSame(ExecutorState.ENDED, executor.state());
  }

  private Runnable executeOne() {
    Runnable task = new AtomicInteger()::incrementAndGet;
    executor.execute(task);
    return task;
  }

  private static long left(List<WeakReference<Runnable>> tasks) {
    return tasks.stream().filter(task -> task.get() != null).count();
  }
}
