package dev.quickwater.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/// Runs code on other threads and passes their failures on.
public final class Threads {

  private Threads() {}

  /// What may throw.
  public interface Action {
    /// Does it.
    void run() throws Exception;
  }

  /// Runs `action` on a new thread and waits for it.
  public static void elsewhere(Action action) throws Exception {
    join(start(action));
  }

  /// Runs `action` on a new thread; [#join] waits for it.
  public static FutureTask<Void> start(Action action) {
    FutureTask<Void> task = task(action);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /// What runs `action`, for a thread that is made elsewhere; [#join] waits for it.
  public static FutureTask<Void> task(Action action) {
    return new FutureTask<>(() -> {
      action.run();
      return null;
    });
  }

  /// Waits for such a task, at most a minute, and passes its failure on.
  public static void join(FutureTask<Void> task) throws Exception {
    try {
      task.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  /// Runs `body` with 0 to `count - 1` on as many threads, which begin together.
  public static void together(int count, IntConsumer body) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(count);
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      tasks.add(
          start(() -> {
            barrier.await();
            body.accept(number);
          }));
    }
    for (FutureTask<Void> task : tasks) {
      join(task);
    }
  }
}
