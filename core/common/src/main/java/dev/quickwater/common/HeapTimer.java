package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A timer in an executor's heap. It has 32 bytes: its deadline is stored in the heap only.
final class HeapTimer implements Timer {

  /// The heap index of a timer that is in no heap.
  static final int OUT = -1;

  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int ENDED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(HeapTimer.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RunQueue queue;
  private final Runnable task;

  int heapIndex = OUT;

  private volatile int state;

  HeapTimer(RunQueue queue, Runnable task) {
    this.queue = queue;
    this.task = task;
  }

  @Override
  public boolean cancel() {
    if (STATE.compareAndSet(this, WAITING, ENDED)) {
      queue.forget(this);
      return true;
    }
    return task instanceof Periodic && STATE.compareAndSet(this, RUNNING, ENDED);
  }

  @Override
  public boolean isPending() {
    return state != ENDED;
  }

  /// Ends a timer whose executor ends first. It is not in a heap any more.
  void abandon(Throwable cause) {
    if ((int) STATE.getAndSet(this, ENDED) == WAITING && task instanceof Task owner) {
      RunQueue.abandon(owner, cause);
    }
  }

  /// Runs the task. A task that throws ends.
  ///
  /// @return the periodic schedule to continue with, or null
  @Nullable Periodic run() {
    if (!STATE.compareAndSet(this, WAITING, RUNNING)) {
      return null;
    }
    boolean returned = false;
    try {
      task.run();
      returned = true;
    } finally {
      if (!returned) {
        state = ENDED;
      }
    }
    if (task instanceof Periodic periodic) {
      return STATE.compareAndSet(this, RUNNING, WAITING) ? periodic : null;
    }
    state = ENDED;
    return null;
  }

  /// A periodic task.
  ///
  /// @param nanos from start to start, or with `fromEnd` from end to start
  record Periodic(Runnable task, long nanos, boolean fromEnd) implements Task {

    @Override
    public void run() {
      task.run();
    }

    @Override
    public void abandoned(Throwable cause) {
      if (task instanceof Task owner) {
        owner.abandoned(cause);
      }
    }

    /// The next deadline after a run that was due at `deadline` and has ended.
    long next(long deadline, Clock clock) {
      return fromEnd ? clock.nanoTime() + nanos : deadline + nanos;
    }
  }
}
