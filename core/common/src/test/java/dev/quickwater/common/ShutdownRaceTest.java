package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Everything at once on executors that live briefly.
@Timeout(120)
class ShutdownRaceTest {

  private static final int PRODUCERS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  /// What was accepted ends exactly once: by running, by its cancellation or by the shutdown.
  @Test
  void everyFutureThatRacesAShutdownEndsOnce() throws Exception {
    long seed = System.nanoTime();
    for (int round = 0; round < 300; round++) {
      long roundSeed = seed + 10L * round;
      Random random = new Random(roundSeed);
      ThreadExecutor executor = new ThreadExecutor("racing");
      int before = random.nextInt(100);
      Duration limit = random.nextBoolean() ? Duration.ZERO : LIMIT;
      Threads.together(
          PRODUCERS + 1,
          number -> {
            if (number < PRODUCERS) {
              produce(executor, new Random(roundSeed + 1 + number));
            } else {
              for (int i = 0; i < before; i++) {
                submit(executor, random);
              }
              executor.shutdown(limit);
            }
          });
      executor.ended().await(LIMIT);
      String context = "seed " + roundSeed;
      assertEquals(ExecutorState.ENDED, executor.state(), context);
      assertEquals(made.get(), ended.get(), context);
      assertTrue(made.get() > 0, context);
    }
  }

  private void produce(ThreadExecutor executor, Random random) {
    while (executor.state() != ExecutorState.ENDED) {
      submit(executor, random);
    }
  }

  private void submit(ThreadExecutor executor, Random random) {
    Future<Integer> future;
    try {
      future =
          switch (random.nextInt(3)) {
            case 0 -> executor.submit(() -> 1);
            case 1 -> executor.submit(() -> 1, Duration.ofNanos(random.nextInt(100_000)));
            default -> executor.submit(() -> 1, Duration.ofDays(1));
          };
    } catch (RejectedExecutionException _) {
      return;
    }
    made.incrementAndGet();
    future.onComplete(_ -> ended.incrementAndGet());
    if (random.nextInt(4) == 0) {
      future.cancel();
    }
  }

  /// With no patience at all, in every order of offers and end.
  @Test
  void everyTaskThatRacesAShutdownHasOneOutcome() throws Exception {
    long seed = System.nanoTime();
    for (int round = 0; round < 300; round++) {
      long roundSeed = seed + 10L * round;
      ThreadExecutor executor = new ThreadExecutor("racing");
      List<Queue<Counted>> tasks = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        tasks.add(new ConcurrentLinkedQueue<>());
      }
      Threads.together(
          PRODUCERS + 1,
          number -> {
            if (number < PRODUCERS) {
              offerUntilTheEnd(executor, new Random(roundSeed + number), tasks.get(number));
            } else {
              LockSupport.parkNanos(new Random(roundSeed + number).nextInt(200_000));
              executor.shutdown(Duration.ZERO);
            }
          });
      executor.ended().await(LIMIT);
      String context = "seed " + roundSeed;
      tasks.forEach(each -> each.forEach(task -> assertEquals(1, task.outcomes.get(), context)));
    }
  }

  private static void offerUntilTheEnd(
      ThreadExecutor executor, Random random, Queue<Counted> tasks) {
    while (executor.state() != ExecutorState.ENDED) {
      Counted task = new Counted();
      tasks.add(task);
      try {
        if (random.nextInt(4) == 0) {
          executor.schedule(task, Duration.ofNanos(random.nextInt(100_000)));
        } else {
          executor.execute(task);
        }
      } catch (RejectedExecutionException _) {
        task.outcomes.incrementAndGet();
      }
    }
  }

  private static final class Counted implements Task {
    private final AtomicInteger outcomes = new AtomicInteger();

    @Override
    public void run() {
      outcomes.incrementAndGet();
    }

    @Override
    public void abandoned(Throwable cause) {
      outcomes.incrementAndGet();
    }
  }

  @Test
  void floodFromEightThreadsIsNeitherLostNorReordered() throws Exception {
    int producers = 8;
    int tasks = 50_000;
    int[] next = new int[producers];
    AtomicInteger wrong = new AtomicInteger();
    ThreadExecutor executor = new ThreadExecutor("flooded");
    Threads.together(
        producers,
        producer -> {
          for (int i = 0; i < tasks; i++) {
            int number = i;
            executor.execute(() -> {
              if (next[producer]++ != number) {
                wrong.incrementAndGet();
              }
            });
          }
        });
    executor.shutdown(LIMIT).await(LIMIT);
    assertEquals(0, wrong.get());
    for (int count : next) {
      assertEquals(tasks, count);
    }
  }
}
