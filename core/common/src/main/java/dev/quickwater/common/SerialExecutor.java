package dev.quickwater.common;

import java.time.Duration;

/// The common part of executors on a [RunQueue]: everything except the driver.
///
/// A subclass runs the queue in turns on one thread. When its state is no longer `RUNNING` it calls
/// [#finish]; or, if it has resources to free between these steps, [RunQueue#drain], [RunQueue#end]
/// and finally [#completeEnd].
public abstract class SerialExecutor implements EventExecutor {

  /// The tasks, timers and state.
  protected final RunQueue queue;

  private final Promise<Void> ended = new Promise<>(this);

  /// An executor with a name for errors and logs, whose timers follow `clock`.
  @SuppressWarnings("this-escape") // no thread wakes a driver before there is one
  protected SerialExecutor(String name, Clock clock) {
    queue = new RunQueue(name, clock, this::wakeDriver);
    ended.claim();
  }

  /// Wakes the driver, which has announced that it blocks. Any thread.
  protected abstract void wakeDriver();

  /// Ends, even if a step throws: futures of tasks and of the end must complete.
  ///
  /// @return the number of tasks that ran
  protected final int finish() {
    shutdown(); // without a request, an error ends it
    try {
      return queue.drain();
    } finally {
      try {
        queue.end();
      } finally {
        completeEnd();
      }
    }
  }

  /// Completes [#ended]; the last step of the driver.
  protected final void completeEnd() {
    ended.trySuccess(null);
  }

  /// The name in errors and logs.
  public final String name() {
    return queue.name();
  }

  @Override
  public final boolean inLoop() {
    return queue.inLoop();
  }

  @Override
  public final Clock clock() {
    return queue.clock();
  }

  @Override
  public final void execute(Runnable task) {
    queue.execute(task);
  }

  @Override
  public final void dispatch(Runnable task) {
    queue.dispatch(task);
  }

  @Override
  public final Timer schedule(Runnable task, Duration delay) {
    return queue.schedule(task, delay);
  }

  @Override
  public final Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    return queue.scheduleAtFixedRate(task, initialDelay, period);
  }

  @Override
  public final Timer scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
    return queue.scheduleWithFixedDelay(task, initialDelay, delay);
  }

  @Override
  public final ExecutorState state() {
    return queue.state();
  }

  @Override
  public final Future<Void> shutdown(Duration limit) {
    queue.shutdown(limit);
    return ended;
  }

  @Override
  public final Future<Void> ended() {
    return ended;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + name() + ", " + state() + "]";
  }
}
