package dev.quickwater.common;

/// An event executor that runs only when its host steps it, on the host's thread.
///
/// The first platform thread that steps the executor is its loop from then on; a step on another
/// thread is an error. With a [VirtualClock], everything that happens on the executor is repeatable
/// in a test. After a [#shutdown] the next step ends it.
///
/// A thread may host several executors. Each refuses to be stepped inside one of its tasks; one may
/// be stepped inside a task of another. The host's thread is a loop for the executors that it
/// drives and for no others: see [Future#await].
public final class SteppedExecutor extends SerialExecutor implements AutoCloseable {

  private final Runnable waker;

  /// An executor whose timers follow `clock`. Its host is not woken.
  public SteppedExecutor(Clock clock) {
    this("stepped", clock, () -> {});
  }

  /// An executor that calls `waker`, on any thread, when a task arrives while its host waits: after
  /// [#nanosToWait] and before the next step.
  public SteppedExecutor(String name, Clock clock, Runnable waker) {
    super(name, clock);
    this.waker = waker;
  }

  @Override
  protected void wakeDriver() {
    waker.run();
  }

  /// Binds this executor to the calling thread, which becomes its loop. [#step] also does this.
  ///
  /// @throws IllegalStateException if another thread is the loop, or the calling thread is virtual
  public void bind() {
    queue.bind();
  }

  /// Runs the timers that are due and the queued tasks, including tasks that these queue.
  ///
  /// @return the number of timers and tasks that ran
  /// @throws IllegalStateException if another thread is the loop, the calling thread is virtual, or
  ///   a task of this executor calls this method
  public int step() {
    return step(Integer.MAX_VALUE);
  }

  /// Like [#step()], with at most `tasks` tasks; timers are not counted. The step that ends the
  /// executor runs all that is left.
  public int step(int tasks) {
    bind();
    if (queue.inTurn()) {
      throw new IllegalStateException("a task steps the executor that runs it");
    }
    queue.awake();
    return switch (state()) {
      case RUNNING -> queue.runReady(tasks);
      case STOPPING -> finish();
      case ENDED -> 0;
    };
  }

  /// The nanoseconds that the host may wait before the next step: 0 if there is work, the time to
  /// the first timer, or `Long.MAX_VALUE` if no timer waits or the executor has ended. Called on
  /// the loop, which may block right after the call.
  public long nanosToWait() {
    bind();
    return state() == ExecutorState.ENDED ? Long.MAX_VALUE : queue.prepareToBlock();
  }

  /// Calls [#shutdown()] and ends the executor: at once on the loop, by the current step when
  /// called in a task, and by the next step when called on another thread.
  @Override
  public void close() {
    shutdown();
    if (queue.inLoop() || !queue.isBound()) {
      bind();
      if (!queue.inTurn() && state() == ExecutorState.STOPPING) {
        finish();
      }
    }
  }
}
