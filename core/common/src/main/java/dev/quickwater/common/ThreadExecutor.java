package dev.quickwater.common;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// An event executor with a separate daemon thread that does no I/O.
public final class ThreadExecutor extends SerialExecutor implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ThreadExecutor.class.getName());

  private static final int TASKS_PER_TURN = 1024;

  /// How long [#close] waits beyond the limit of the shutdown, for a task that checks the clock.
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final int FRAMES = 8;

  private final LoopThread thread;

  /// Starts the thread.
  public ThreadExecutor(String name) {
    this(name, Clock.system());
  }

  /// Starts the thread; timers follow `clock`. A clock wakes no thread: after advancing a virtual
  /// clock, call [#execute].
  public ThreadExecutor(String name, Clock clock) {
    super(name, clock);
    thread = new LoopThread(name, this::run);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  protected void wakeDriver() {
    LockSupport.unpark(thread);
  }

  private void run() {
    queue.bind();
    queue.readClock();
    try {
      turn();
    } finally {
      finish();
    }
  }

  private void turn() {
    while (queue.state() == ExecutorState.RUNNING) {
      if (queue.runReady(TASKS_PER_TURN) == 0) {
        long nanos = queue.prepareToBlock();
        if (nanos == Long.MAX_VALUE) {
          LockSupport.park(this);
        } else if (nanos > 0) {
          LockSupport.parkNanos(this, nanos);
        }
        // A task may have left the interrupt flag set, and an interrupted thread does not park.
        Thread.interrupted();
        queue.awake();
      } else {
        queue.readClock();
      }
    }
  }

  /// Calls [#shutdown()] and returns when the thread has ended, at the latest a second after the
  /// limit. A task that still runs then is logged. Called on a loop thread, it does not wait.
  @Override
  public void close() {
    shutdown();
    join(closeDeadline());
  }

  /// The deadline of a close that begins now, by the system's clock.
  static long closeDeadline() {
    return System.nanoTime() + SHUTDOWN_LIMIT.plus(GRACE).toNanos();
  }

  /// Waits for the thread until `deadline`, by the system's clock.
  void join(long deadline) {
    if (Thread.currentThread() instanceof LoopThread || inLoop()) {
      return;
    }
    boolean interrupted = false;
    long left;
    while (thread.isAlive() && (left = deadline - System.nanoTime()) > 0) {
      try {
        thread.join(Duration.ofNanos(left));
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (thread.isAlive()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "executor '" + name() + "' has not ended, a task still runs at " + position());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private String position() {
    return Arrays.stream(thread.getStackTrace()).limit(FRAMES).toList().toString();
  }
}
