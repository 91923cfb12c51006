package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A task that an executor will run at a time, and the handle to cancel it.
public final class Timer {

  /// The heap index of a timer that is in no heap.
  static final int OUT = -1;

  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int ENDED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Timer.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RunQueue queue;
  private final Runnable task;

  /// Nanoseconds between runs, 0 for a task that runs once.
  private final long period;

  long deadline;
  long sequence;
  int heapIndex = OUT;

  private volatile int state;

  Timer(RunQueue queue, Runnable task, long deadline, long period) {
    this.queue = queue;
    this.task = task;
    this.deadline = deadline;
    this.period = period;
  }

  /// Cancels the task unless it has run or is running; a periodic task ends. Any thread. The timer
  /// leaves the executor's heap at once when called on the loop, otherwise in the loop's next turn.
  ///
  /// @return true if this call is what kept the task from running (again)
  public boolean cancel() {
    if (STATE.compareAndSet(this, WAITING, ENDED)) {
      queue.forget(this);
      return true;
    }
    return period > 0 && STATE.compareAndSet(this, RUNNING, ENDED);
  }

  /// True until the task has run for the last time, has thrown or was cancelled.
  public boolean isPending() {
    return state != ENDED;
  }

  boolean before(Timer other) {
    long difference = deadline - other.deadline;
    return difference < 0 || (difference == 0 && sequence < other.sequence);
  }

  /// Runs the task; true when it must be put back because it is periodic. One that throws ends.
  boolean run() {
    if (!STATE.compareAndSet(this, WAITING, RUNNING)) {
      return false;
    }
    boolean again = false;
    try {
      task.run();
      again = period > 0;
    } finally {
      if (!again) {
        state = ENDED;
      }
    }
    if (again) {
      deadline += period;
    }
    return again && STATE.compareAndSet(this, RUNNING, WAITING);
  }
}
