package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class RunQueueTasksTest {

  private final SteppedExecutor executor = Stepped.on(new VirtualClock());
  private final RunQueue queue = executor.queue;
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void tasksRunInOrder() {
    for (int i = 0; i < 5; i++) {
      int number = i;
      executor.execute(() -> ran.add(number));
    }
    assertEquals(5, executor.step());
    assertEquals(List.of(0, 1, 2, 3, 4), ran);
  }

  @Test
  void budgetBoundsTheTasksOfATurn() {
    for (int i = 0; i < 5; i++) {
      executor.execute(() -> ran.add(0));
    }
    assertEquals(2, queue.runReady(2));
    assertEquals(3, queue.runReady(10));
  }

  @Test
  void batchTakesWhatIsThere() {
    for (int i = 0; i < 5; i++) {
      executor.execute(() -> ran.add(0));
    }
    assertEquals(2, queue.runBatch(2));
    assertEquals(3, queue.runBatch(10));
    assertEquals(0, queue.runBatch(10));
  }

  @Test
  void taskThatThrowsDoesNotStopTheNext() {
    executor.execute(() -> {
      throw new IllegalStateException("on purpose");
    });
    executor.execute(() -> ran.add(1));
    assertEquals(2, executor.step());
    assertEquals(List.of(1), ran);
  }

  @Test
  void dispatchRunsAtOnceAndNestsNever() {
    executor.dispatch(() -> {
      executor.dispatch(() -> ran.add(2));
      ran.add(1);
    });
    assertEquals(List.of(1, 2), ran);
  }

  @Test
  void dispatchFromElsewhereIsATask() throws Exception {
    Threads.elsewhere(() -> executor.dispatch(() -> ran.add(1)));
    assertEquals(List.of(), ran);
    executor.step();
    assertEquals(List.of(1), ran);
  }

  @Test
  void dispatchedTaskThatThrowsDoesNotStopTheOthers() {
    executor.dispatch(() -> {
      executor.dispatch(() -> ran.add(1));
      throw new IllegalStateException("on purpose");
    });
    executor.dispatch(() -> ran.add(2));
    assertEquals(List.of(1, 2), ran);
  }

  @Test
  void afterTheEndTasksAreRejected() {
    executor.execute(() -> ran.add(1));
    executor.schedule(() -> ran.add(2), Duration.ZERO);
    executor.close();
    assertEquals(ExecutorState.ENDED, executor.state());
    assertEquals(List.of(1), ran);
    assertEquals(0, queue.timers());
    assertThrows(RejectedExecutionException.class, () -> executor.execute(() -> {}));
  }

  @Test
  void taskThatRunsWhileTheQueueEndsCanAddMore() {
    executor.execute(() -> executor.execute(() -> ran.add(1)));
    executor.execute(() -> ran.add(2));
    executor.close();
    assertEquals(List.of(2, 1), ran);
  }

  /// Whatever `execute` accepted has run by the time the queue and its producers are done.
  @Test
  void taskThatRacesTheEndRunsOrIsRejected() throws Exception {
    for (int round = 0; round < 300; round++) {
      AtomicIntegerArray runs = new AtomicIntegerArray(3);
      AtomicIntegerArray accepted = new AtomicIntegerArray(3);
      SteppedExecutor ending = Stepped.on(new VirtualClock());
      AtomicInteger started = new AtomicInteger();
      FutureTask<Void> producing =
          Threads.start(() ->
              Threads.together(
                  3,
                  producer -> {
                    try {
                      for (; ; ) {
                        started.incrementAndGet();
                        ending.execute(() -> runs.incrementAndGet(producer));
                        accepted.incrementAndGet(producer);
                      }
                    } catch (RejectedExecutionException _) {
                      // the end of this producer
                    }
                  }));
      while (started.get() < round) {
        ending.queue.runReady(16);
      }
      ending.close();
      Threads.join(producing);
      for (int producer = 0; producer < 3; producer++) {
        assertEquals(accepted.get(producer), runs.get(producer));
      }
    }
  }

  @Test
  void driverIsBoundForGood() throws Exception {
    queue.bind();
    assertTrue(queue.inLoop());
    Threads.elsewhere(() -> {
      assertFalse(queue.inLoop());
      assertThrows(IllegalStateException.class, queue::bind);
    });
  }

  @Test
  void ofManyThatBindOnlyOneDrives() throws Exception {
    for (int round = 0; round < 100; round++) {
      RunQueue contended = new RunQueue("test", new VirtualClock(), () -> {});
      AtomicInteger bound = new AtomicInteger();
      Threads.together(
          3,
          _ -> {
            try {
              contended.bind();
              bound.incrementAndGet();
            } catch (IllegalStateException _) {
              // another was first
            }
          });
      assertEquals(1, bound.get());
    }
  }

  @Test
  void virtualThreadCannotDrive() throws Exception {
    RunQueue unbound = new RunQueue("test", new VirtualClock(), () -> {});
    FutureTask<Void> task =
        new FutureTask<>(() -> {
          unbound.bind();
          return null;
        });
    Thread.ofVirtual().start(task).join();
    assertEquals(IllegalStateException.class, task.exceptionNow().getClass());
  }
}
