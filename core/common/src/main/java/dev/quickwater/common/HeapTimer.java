package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A timer in an executor's heap. Kept to 32 bytes: its deadline is in the heap alone.
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

  /// Ends a timer whose executor ends first; it is in no heap any more.
  void abandon(Throwable cause) {
    if ((int) STATE.getAndSet(this, ENDED) == WAITING && task instanceof Task owner) {
      RunQueue.abandon(owner, cause);
    }
  }

  /// Runs the task. One that throws ends.
  ///
  /// @return how it is to be put back, or null when it is not
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

  /// A task that runs again and again.
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

    /// When it runs next, after a run that was due at `deadline` and has ended.
    long next(long deadline, Clock clock) {
      return fromEnd ? clock.nanoTime() + nanos : deadline + nanos;
    }
  }
}
