package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PromiseAwaitTest {

  private final SteppedExecutor executor = Stepped.on(new VirtualClock());
  private final Promise<String> promise = executor.newPromise();

  @Test
  void awaitOnTheLoopThrowsWhilePending() throws Exception {
    assertThrows(IllegalStateException.class, promise::await);
    assertThrows(IllegalStateException.class, () -> promise.await(Duration.ofDays(1)));
    promise.success("yes");
    assertEquals("yes", promise.await());
  }

  @Test
  void awaitOnTheThreadOfAnyLoopThrowsWhilePending() throws Exception {
    try (ThreadExecutor other = new ThreadExecutor("other")) {
      Future<String> waiting = other.submit(() -> promise.await());
      ExecutionException e = assertThrows(ExecutionException.class, waiting::await);
      assertInstanceOf(IllegalStateException.class, e.getCause());
      promise.success("yes");
      assertEquals("yes", other.submit(() -> promise.await()).await());
    }
  }

  /// The thread drives two executors: a wait for either would be one for itself.
  @Test
  void hostCannotAwaitWhatItDrivesItself() throws Exception {
    SteppedExecutor second = Stepped.on(new VirtualClock());
    Promise<String> there = second.newPromise();
    Future<String> inTask = executor.submit(() -> there.await());
    executor.step();
    assertInstanceOf(IllegalStateException.class, inTask.cause());
    assertThrows(IllegalStateException.class, there::await);
    Future<Integer> steps =
        executor.submit(() -> {
          second.execute(() -> there.success("yes"));
          return second.step();
        });
    executor.step();
    assertEquals(1, steps.value());
    assertEquals("yes", there.await());
  }

  @Test
  void hostMayAwaitWhatAnotherThreadDrivesInsideATaskToo() throws Exception {
    try (ThreadExecutor other = new ThreadExecutor("other")) {
      Future<Integer> inTask = executor.submit(() -> other.submit(() -> 7).await());
      executor.step();
      assertEquals(7, inTask.value());
      assertEquals(8, other.submit(() -> 8).await());
    }
  }

  @Test
  void awaitThrowsTheFailure() throws Exception {
    IOException failure = new IOException("on purpose");
    promise.failure(failure);
    Threads.elsewhere(() -> {
      ExecutionException e = assertThrows(ExecutionException.class, promise::await);
      assertSame(failure, e.getCause());
    });
  }

  @Test
  void awaitNeedsNoTurnOfTheLoop() throws Exception {
    FutureTask<Void> waiting = Threads.start(() -> assertEquals("yes", promise.await()));
    promise.onComplete(_ -> {});
    Threads.elsewhere(() -> promise.success("yes"));
    Threads.join(waiting);
  }

  @Test
  void awaitEndsWhenTheExecutorHasEndedBefore() throws Exception {
    FutureTask<Void> waiting = Threads.start(() -> assertEquals("late", promise.await()));
    executor.close();
    Threads.elsewhere(() -> promise.success("late"));
    Threads.join(waiting);
  }

  @Test
  void manyVirtualThreadsPark() throws Exception {
    List<FutureTask<String>> tasks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      FutureTask<String> task = new FutureTask<>(promise::await);
      Thread.ofVirtual().start(task);
      tasks.add(task);
    }
    promise.success("yes");
    for (FutureTask<String> task : tasks) {
      assertEquals("yes", task.get(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void limitedAwaitTimesOutAndThePromiseGoesOn() throws Exception {
    Threads.elsewhere(() -> {
      TimeoutException e =
          assertThrows(TimeoutException.class, () -> promise.await(Duration.ofNanos(1)));
      assertEquals("not done after PT0.000000001S", e.getMessage());
      assertThrows(TimeoutException.class, () -> promise.await(Duration.ofNanos(-1)));
      promise.success("yes");
      assertEquals("yes", promise.await(Duration.ofSeconds(Long.MAX_VALUE)));
    });
  }

  @Test
  void veryLongLimitIsNoOverflow() throws Exception {
    FutureTask<Void> waiting =
        Threads.start(() -> assertEquals("yes", promise.await(Duration.ofSeconds(Long.MAX_VALUE))));
    promise.success("yes");
    Threads.join(waiting);
  }

  @Test
  void interruptEndsTheWaitOnly() throws Exception {
    Threads.elsewhere(() -> {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, promise::await);
    });
    assertTrue(promise.trySuccess("yes"));
  }

  /// Whoever awaits while another thread completes gets the value, in every interleaving met.
  @Test
  void awaitThatRacesCompletionNeverHangs() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      Promise<Integer> racing = executor.newPromise();
      int value = round;
      FutureTask<Void> waiting = Threads.start(() -> assertEquals(value, racing.await()));
      racing.success(value);
      Threads.join(waiting);
    }
  }
}
