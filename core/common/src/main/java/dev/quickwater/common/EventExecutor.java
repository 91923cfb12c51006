package dev.quickwater.common;

import java.time.Duration;
import java.util.concurrent.Executor;

/// Runs tasks one after another on one thread at a time, with timers.
///
/// - [#execute], [#schedule] and [Timer#cancel] may be called from any thread; tasks of one caller
///   keep their order. What happened before `execute` happens before the task.
/// - A task that throws is logged and does not stop the executor; a periodic one is not run again.
/// - After it has ended, `execute` throws [java.util.concurrent.RejectedExecutionException].
public interface EventExecutor extends Executor {

  /// True when the calling thread is the one that runs this executor's tasks.
  boolean inLoop();

  /// The clock that all timers of this executor follow.
  Clock clock();

  /// Runs a task once after `delay`, at the earliest; a delay of zero or less means the next turn.
  Timer schedule(Runnable task, Duration delay);

  /// Runs a task after `initialDelay` and then every `period`, counted from start to start.
  ///
  /// @throws IllegalArgumentException if `period` is not positive
  Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period);

  /// Runs a task on the loop without nesting: at once when called on the loop outside another
  /// dispatched task, after that task when inside one, and by [#execute] from other threads. It is
  /// how promises notify their listeners, so that a chain of a million completions needs no stack.
  void dispatch(Runnable task);

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
}
