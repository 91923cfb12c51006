package dev.quickwater.common;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// Runs tasks one after another on one thread at a time, with timers.
///
/// - **Any thread** may call all methods; tasks of one caller keep their order. What happened
///   before `execute` happens before the task.
/// - **A task that throws** is logged and does not stop the executor. A periodic task is not run
///   again. A submitted task fails its future instead.
/// - **Shutdown** is ordered and has a limit. Tasks that were queued before it run in their order,
///   and so do the tasks that they queue; timers are cancelled. Other threads get a
///   [java.util.concurrent.RejectedExecutionException]. Tasks that are left when the limit passes
///   do not run, and their futures fail with a `RejectedExecutionException` that has the limit. A
///   [Task] is notified that it will not run. In every [state][ExecutorState] each future ends
///   exactly once. A task that blocks past the limit delays the end until it returns, because it
///   cannot be stopped.
public interface EventExecutor extends Executor {

  /// The default limit of a shutdown. The shutdown ends as soon as nothing is left to run; there is
  /// no quiet period.
  Duration SHUTDOWN_LIMIT = Duration.ofSeconds(5);

  /// True if the calling thread runs the tasks of this executor.
  boolean inLoop();

  /// The clock of all timers of this executor.
  Clock clock();

  /// Runs a task once after `delay`, at the earliest; a delay of zero or less means the next turn.
  Timer schedule(Runnable task, Duration delay);

  /// Runs a task after `initialDelay` and then every `period`, counted from start to start. A late
  /// task runs more often until it has caught up, once in each turn of the executor.
  ///
  /// @throws IllegalArgumentException if `period` is not positive
  Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period);

  /// Runs a task after `initialDelay` and then each time `delay` after it has returned.
  ///
  /// @throws IllegalArgumentException if `delay` is not positive
  Timer scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay);

  /// Runs a task on the loop without nesting: at once when called on the loop outside another
  /// dispatched task, after that task when called inside one, and as a queued task when called on
  /// another thread. Promises notify their listeners this way: a chain of a million completions
  /// needs no stack. The method never refuses. After the executor has ended, the task runs on the
  /// calling thread, also without nesting.
  void dispatch(Runnable task);

  /// Queues a task, or abandons it on the calling thread if this executor accepts no tasks. For
  /// callers that cannot react to the refusal otherwise.
  default void executeOrAbandon(Task task) {
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      task.abandoned(e);
    }
  }

  /// Calls `task` on the loop. If the future is cancelled before, the task is not called. An
  /// exception of the task fails the future.
  default <T> Future<T> submit(Callable<? extends T> task) {
    Call<T> call = new Call<>(newPromise(), task);
    execute(call);
    return call.promise();
  }

  /// Calls `task` on the loop after `delay`. Cancelling the future cancels the timer.
  default <T> Future<T> submit(Callable<? extends T> task, Duration delay) {
    Call<T> call = new Call<>(newPromise(), task);
    Timer timer = schedule(call, delay);
    return call.promise()
        .onComplete(future -> {
          if (future.isCancelled()) {
            timer.cancel();
          }
        });
  }

  /// The current state.
  ExecutorState state();

  /// Requests the end of the executor within `limit`. The limit passes by the executor's clock or
  /// by the system's, if that is earlier: a clock that stands still does not delay the end. After
  /// several requests the earliest end counts.
  ///
  /// @return [#ended]
  /// @throws IllegalArgumentException if `limit` is negative
  Future<Void> shutdown(Duration limit);

  /// [#shutdown(Duration)] with [#SHUTDOWN_LIMIT].
  default Future<Void> shutdown() {
    return shutdown(SHUTDOWN_LIMIT);
  }

  /// Succeeds when the executor has ended, after all futures of its tasks. It cannot be cancelled.
  Future<Void> ended();

  /// A new promise whose listeners run on this executor.
  default <T> Promise<T> newPromise() {
    return new Promise<>(this);
  }

  /// A future that has already succeeded.
  default <T> Future<T> succeeded(T value) {
    Promise<T> promise = newPromise();
    promise.trySuccess(value);
    return promise;
  }

  /// A future that has already failed.
  default <T> Future<T> failed(Throwable cause) {
    Promise<T> promise = newPromise();
    promise.tryFailure(cause);
    return promise;
  }

  /// The values of all futures, in their order, once the last has succeeded; or the first failure,
  /// while the others continue. Without futures it is an empty list.
  default <T> Future<List<T>> all(Collection<? extends Future<? extends T>> futures) {
    return Derived.all(this, futures);
  }

  /// The first value, while the others continue. If all fail, it fails with a
  /// [java.util.concurrent.CompletionException] that has the first failure as its cause and the
  /// others suppressed; without futures, with a [java.util.NoSuchElementException].
  default <T> Future<T> any(Collection<? extends Future<? extends T>> futures) {
    return Derived.any(this, futures);
  }

  /// The result of a stage of `java.util.concurrent` as a future of this executor. A
  /// [java.util.concurrent.CompletionException] that a stage wrapped around a failure is removed.
  /// Cancelling the future does not cancel the stage.
  default <T> Future<T> adopt(CompletionStage<? extends T> stage) {
    return Derived.adopt(this, stage);
  }
}
