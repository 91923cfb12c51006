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
/// - **Any thread** may call everything here; tasks of one caller keep their order. What happened
///   before `execute` happens before the task.
/// - **A task that throws** is logged and does not stop the executor; a periodic one is not run
///   again. One that was submitted fails its future instead.
/// - **Shutdown** is ordered and has a limit: tasks that were queued before it run in their order,
///   and those that they queue; timers are cancelled; from other threads nothing new is taken, a
///   [java.util.concurrent.RejectedExecutionException] says so. What is left when the limit passes
///   does not run, and its futures fail with a `RejectedExecutionException` that names the limit. A
///   [Task] is notified that it will not run. In every [state][ExecutorState] each future ends
///   exactly once. A task that blocks past the limit delays the end until it returns: nothing can
///   stop it.
public interface EventExecutor extends Executor {

  /// How long a shutdown may take where nothing else is said. It is done as soon as nothing is left
  /// to run; there is no quiet period.
  Duration SHUTDOWN_LIMIT = Duration.ofSeconds(5);

  /// True when the calling thread is the one that runs this executor's tasks.
  boolean inLoop();

  /// The clock that all timers of this executor follow.
  Clock clock();

  /// Runs a task once after `delay`, at the earliest; a delay of zero or less means the next turn.
  Timer schedule(Runnable task, Duration delay);

  /// Runs a task after `initialDelay` and then every `period`, counted from start to start. One
  /// that is late runs more often until it has caught up, once a turn of the executor.
  ///
  /// @throws IllegalArgumentException if `period` is not positive
  Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period);

  /// Runs a task after `initialDelay` and then each time `delay` after it has returned.
  ///
  /// @throws IllegalArgumentException if `delay` is not positive
  Timer scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay);

  /// Runs a task on the loop without nesting: at once when called on the loop outside another
  /// dispatched task, after that task when inside one, and as a task of the queue from other
  /// threads. It is how promises notify their listeners, so that a chain of a million completions
  /// needs no stack. It never refuses: after the executor has ended the task runs on the calling
  /// thread, there without nesting too.
  void dispatch(Runnable task);

  /// Queues a task, and abandons it on the calling thread if this executor takes none: for a caller
  /// that can do nothing else about the refusal.
  default void executeOrAbandon(Task task) {
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      task.abandoned(e);
    }
  }

  /// Calls `task` on the loop. Cancelling the future before that keeps it from being called; what
  /// it throws fails the future.
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

  /// Where it is in its life.
  ExecutorState state();

  /// Asks the executor to end within `limit`: of its clock or of the system's, whichever has passed
  /// first, so that a clock which stands still holds up no end. Asked again, the earlier end
  /// counts.
  ///
  /// @return [#ended]
  /// @throws IllegalArgumentException if `limit` is negative
  Future<Void> shutdown(Duration limit);

  /// [#shutdown(Duration)] with [#SHUTDOWN_LIMIT].
  default Future<Void> shutdown() {
    return shutdown(SHUTDOWN_LIMIT);
  }

  /// Succeeds when the executor has ended, after every other future of its tasks. It cannot be
  /// cancelled.
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

  /// The values of all, in the order of `futures`, once the last has succeeded; or the first
  /// failure, while the others continue. Of none it is an empty list.
  default <T> Future<List<T>> all(Collection<? extends Future<? extends T>> futures) {
    return Derived.all(this, futures);
  }

  /// The first value, while the others continue. When all fail it fails with a
  /// [java.util.concurrent.CompletionException] that has the first failure as its cause and the
  /// others suppressed; of none, with a [java.util.NoSuchElementException].
  default <T> Future<T> any(Collection<? extends Future<? extends T>> futures) {
    return Derived.any(this, futures);
  }

  /// The result of a stage of `java.util.concurrent` as a future of this executor. A
  /// [java.util.concurrent.CompletionException] that a stage wrapped around a failure is taken off.
  /// Cancelling the future does not reach the stage.
  default <T> Future<T> adopt(CompletionStage<? extends T> stage) {
    return Derived.adopt(this, stage);
  }
}
