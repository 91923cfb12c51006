package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A task that owns something is notified when its executor ends before running it.
@Timeout(60)
class AbandonedTaskTest {

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);
  private final List<String> events = new ArrayList<>();
  private final List<Throwable> causes = new ArrayList<>();

  private final class Recorded implements Task {
    private final String name;

    Recorded(String name) {
      this.name = name;
    }

    @Override
    public void run() {
      events.add(name + " ran");
    }

    @Override
    public void abandoned(Throwable cause) {
      events.add(name + " abandoned");
      causes.add(cause);
    }
  }

  @Test
  void queuedTaskIsAbandonedAtTheLimit() {
    executor.execute(new Recorded("a"));
    executor.shutdown(Duration.ZERO);
    executor.step();
    executor.step();
    assertEquals(List.of("a abandoned"), events);
    RejectedExecutionException cause =
        assertInstanceOf(RejectedExecutionException.class, causes.getFirst());
    assertEquals(
        "executor 'test' has ended at the limit of its shutdown before it ran this task",
        cause.getMessage());
  }

  @Test
  void taskWithinTheLimitRunsAndIsNotAbandoned() {
    executor.execute(new Recorded("a"));
    executor.shutdown();
    executor.step();
    assertEquals(List.of("a ran"), events);
  }

  @Test
  void refusedTaskIsNeitherRunNorAbandoned() {
    executor.close();
    assertThrows(RejectedExecutionException.class, () -> executor.execute(new Recorded("a")));
    assertEquals(List.of(), events);
  }

  @Test
  void sameTaskAcceptedTwiceHasTwoOutcomes() {
    Task task = new Recorded("a");
    executor.execute(task);
    executor.execute(task);
    executor.shutdown(Duration.ZERO);
    executor.step();
    assertEquals(List.of("a abandoned", "a abandoned"), events);
  }

  @Test
  void abandonedTaskThatThrowsDoesNotKeepOthersFromBeingAbandoned() {
    Task thrower =
        new Task() {
          @Override
          public void run() {
            events.add("thrower ran");
          }

          @Override
          public void abandoned(Throwable cause) {
            throw new IllegalStateException("expected by the test");
          }
        };
    executor.execute(thrower);
    executor.schedule(thrower, Duration.ofSeconds(1));
    executor.schedule(new Recorded("timer"), Duration.ofSeconds(2));
    executor.execute(new Recorded("a"));
    Future<Integer> future = executor.submit(() -> 1);
    executor.shutdown(Duration.ZERO);
    executor.step();
    assertEquals(List.of("timer abandoned", "a abandoned"), events);
    assertTrue(future.isDone());
    assertTrue(executor.ended().isSuccess());
  }

  @Test
  void tasksAreAbandonedOnTheThreadOfTheExecutorAfterItsEnd() throws Exception {
    ThreadExecutor threaded = new ThreadExecutor("threaded");
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Future<Thread> driver =
        threaded.submit(() -> {
          began.countDown();
          release.await();
          return Thread.currentThread();
        });
    List<Object> seen = new ArrayList<>();
    threaded.execute(
        new Task() {
          @Override
          public void run() {
            throw new AssertionError("the limit has passed");
          }

          @Override
          public void abandoned(Throwable cause) {
            seen.add(Thread.currentThread());
            seen.add(threaded.state());
            threaded.dispatch(() -> seen.add("dispatched"));
            assertThrows(RejectedExecutionException.class, () -> threaded.execute(() -> {}));
            seen.add(threaded.inLoop());
          }
        });
    began.await();
    Future<Void> ended = threaded.shutdown(Duration.ZERO);
    release.countDown();
    ended.await(Duration.ofSeconds(30));
    assertEquals(List.of(driver.value(), ExecutorState.ENDED, "dispatched", true), seen);
  }

  @Test
  void timersAreAbandonedByAShutdown() throws Exception {
    executor.schedule(new Recorded("once"), Duration.ofSeconds(1));
    executor.scheduleAtFixedRate(new Recorded("periodic"), Duration.ZERO, Duration.ofSeconds(1));
    Threads.elsewhere(() -> executor.schedule(new Recorded("late"), Duration.ofSeconds(3)));
    executor.step();
    executor.shutdown();
    executor.step();
    assertEquals("periodic ran", events.getFirst());
    assertEquals(
        List.of("late abandoned", "once abandoned", "periodic abandoned"),
        events.stream().skip(1).sorted().toList());
    causes.forEach(cause -> assertInstanceOf(CancellationException.class, cause));
  }

  @Test
  void timerScheduledOnTheLoopAfterItsEndIsAbandonedAtOnce() {
    executor.close();
    Timer timer = executor.schedule(new Recorded("a"), Duration.ZERO);
    assertFalse(timer.isPending());
    assertEquals(List.of("a abandoned"), events);
  }

  @Test
  void cancelledTimerIsNeitherRunNorAbandoned() {
    Timer timer = executor.schedule(new Recorded("a"), Duration.ofSeconds(1));
    assertTrue(timer.cancel());
    executor.close();
    assertEquals(List.of(), events);
  }

  @Test
  void dispatchedTaskRunsPastTheLimit() throws Exception {
    Threads.elsewhere(() -> executor.dispatch(new Recorded("a")));
    executor.shutdown(Duration.ZERO);
    executor.step();
    assertEquals(List.of("a ran"), events);
    assertSame(ExecutorState.ENDED, executor.state());
  }
}
