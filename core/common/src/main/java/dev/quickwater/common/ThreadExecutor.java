package dev.quickwater.common;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// An event executor on a thread of its own that does no I/O.
public final class ThreadExecutor implements EventExecutor, AutoCloseable {

  private static final int TASKS_PER_TURN = 1024;

  private final RunQueue queue;
  private final Thread thread;
  private volatile boolean stopping;

  /// Starts the thread.
  public ThreadExecutor(String name) {
    this(name, Clock.system());
  }

  /// Starts the thread; timers follow `clock`, which wakes nobody: after moving a virtual clock,
  /// call [#execute].
  public ThreadExecutor(String name, Clock clock) {
    thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    queue = new RunQueue(clock, () -> LockSupport.unpark(thread));
    thread.start();
  }

  private void run() {
    queue.bind();
    while (!stopping) {
      if (queue.runReady(TASKS_PER_TURN) == 0) {
        long nanos = queue.prepareToBlock();
        if (nanos == Long.MAX_VALUE) {
          LockSupport.park(this);
        } else if (nanos > 0) {
          LockSupport.parkNanos(this, nanos);
        }
        // A task may have left the flag set, and a thread that is interrupted does not park.
        Thread.interrupted();
        queue.awake();
      }
    }
    queue.end();
  }

  @Override
  public boolean inLoop() {
    return queue.inLoop();
  }

  @Override
  public Clock clock() {
    return queue.clock();
  }

  @Override
  public void execute(Runnable task) {
    queue.execute(task);
  }

  @Override
  public void dispatch(Runnable task) {
    queue.dispatch(task);
  }

  @Override
  public Timer schedule(Runnable task, Duration delay) {
    return queue.schedule(task, delay, Duration.ZERO);
  }

  @Override
  public Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("period is " + period + ", expected more than zero");
    }
    return queue.schedule(task, initialDelay, period);
  }

  /// Runs the tasks that are queued, drops the timers, and returns once the thread has ended;
  /// called on the loop itself, it returns at once.
  @Override
  public void close() {
    stopping = true;
    if (queue.inLoop()) {
      return;
    }
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
