package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadExecutorTest {

  @Test
  void tasksOfEachProducerRunInOrderOnOneThread() throws Exception {
    List<List<Integer>> ran = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    try (ThreadExecutor executor = new ThreadExecutor("order")) {
      Threads.together(
          3,
          producer -> {
            for (int i = 0; i < 20_000; i++) {
              int number = i;
              executor.execute(() -> ran.get(producer).add(executor.inLoop() ? number : -1));
            }
          });
    }
    for (List<Integer> numbers : ran) {
      assertEquals(20_000, numbers.size());
      for (int i = 0; i < 20_000; i++) {
        assertEquals(i, numbers.get(i));
      }
    }
  }

  @Test
  void closeRunsWhatIsQueuedAndRejectsTheRest() {
    ThreadExecutor executor = new ThreadExecutor("close");
    CountDownLatch ran = new CountDownLatch(1000);
    for (int i = 0; i < 1000; i++) {
      executor.execute(ran::countDown);
    }
    executor.close();
    executor.close();
    assertEquals(0, ran.getCount());
    assertThrows(RejectedExecutionException.class, () -> executor.execute(() -> {}));
    assertThrows(
        RejectedExecutionException.class, () -> executor.schedule(() -> {}, Duration.ZERO));
  }

  @Test
  void closeOnTheLoopItselfReturnsAtOnce() throws Exception {
    ThreadExecutor executor = new ThreadExecutor("close inside");
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    executor.execute(() -> {
      executor.close();
      closed.complete(true);
    });
    assertTrue(closed.get(30, TimeUnit.SECONDS));
    executor.close();
  }

  @Test
  void timersFollowTheClockGiven() throws Exception {
    VirtualClock clock = new VirtualClock();
    try (ThreadExecutor executor = new ThreadExecutor("virtual time", clock)) {
      Promise<Long> ranAt = executor.newPromise();
      executor.schedule(() -> ranAt.success(clock.nanoTime()), Duration.ofDays(1));
      clock.advance(Duration.ofDays(1));
      executor.execute(() -> {});
      assertEquals(Duration.ofDays(1).toNanos(), ranAt.await());
    }
  }

  @Test
  void timersRunOnTheSystemClock() throws Exception {
    try (ThreadExecutor executor = new ThreadExecutor("system time")) {
      Promise<Boolean> ran = executor.newPromise();
      long due = System.nanoTime() + 2_000_000;
      executor.schedule(() -> ran.success(System.nanoTime() - due >= 0), Duration.ofMillis(2));
      assertTrue(ran.await());
    }
  }

  @Test
  void taskThatLeavesTheThreadInterruptedDoesNotStopTheExecutor() throws Exception {
    try (ThreadExecutor executor = new ThreadExecutor("interrupted")) {
      Promise<Boolean> later = executor.newPromise();
      executor.execute(() -> {
        Thread.currentThread().interrupt();
        executor.schedule(
            () -> later.success(Thread.currentThread().isInterrupted()), Duration.ofMillis(5));
      });
      assertFalse(later.await());
    }
  }

  @Test
  void periodMustBePositive() {
    try (ThreadExecutor executor = new ThreadExecutor("period")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> executor.scheduleAtFixedRate(() -> {}, Duration.ZERO, Duration.ZERO));
      assertEquals("period is PT0S, expected more than zero", e.getMessage());
    }
  }

  @Test
  void virtualClockDoesNotGoBack() {
    VirtualClock clock = new VirtualClock();
    assertThrows(IllegalArgumentException.class, () -> clock.advance(Duration.ofNanos(-1)));
  }
}
