package dev.quickwater.common;

import dev.quickwater.common.queue.MpscQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The tasks, timers and state of one event executor, without its thread. The driver of the
/// executor calls [#runReady] in turns and may block between turns.
///
/// - **Wake-ups are elided.** A producer wakes the driver only when the driver has announced with
///   [#prepareToBlock] that it is about to block, and only once.
/// - **The driver** is the first platform thread that calls [#bind]; it never changes.
/// - **The driver decides when time is read**, with [#readClock], [#awake] and [#prepareToBlock],
///   because a read costs as much as a small task. [#now] is the time of the last read; timers that
///   are due by then run.
/// - **The end** is the driver's work: once [#state] is no longer `RUNNING` it calls [#drain] and
///   [#end], and frees its resources between the two. The limit of a shutdown passes by this
///   queue's clock or by the system's. A [Task] that is left then is abandoned; other tasks are
///   dropped and counted in a log record.
public final class RunQueue {

  private static final System.Logger LOG = System.getLogger(RunQueue.class.getName());

  private static final int AWAKE = 0;
  private static final int BLOCKING = 1;

  /// Half of the clock's range or less, so that differences of two deadlines never overflow.
  private static final long MAX_SECONDS = Duration.ofDays(36_500).toSeconds();

  private static final VarHandle BLOCK;
  private static final VarHandle DRIVER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BLOCK = lookup.findVarHandle(RunQueue.class, "block", int.class);
      DRIVER = lookup.findVarHandle(RunQueue.class, "driver", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final Clock clock;
  private final Runnable waker;
  private final MpscQueue<Runnable> tasks = new MpscQueue<>();
  private final Timers timers;
  private final ArrayDeque<Runnable> dispatched = new ArrayDeque<>();

  /// Tasks that were offered while the queue ended; the thread that offered a task removes it. The
  /// lock of this list serialises the driver and these threads as consumers of [#tasks], and guards
  /// changes of the state.
  private final List<Runnable> late = new ArrayList<>();

  /// True once [#end] has taken the last task that it will run. Guarded by [#late].
  private boolean drained;

  private volatile @Nullable Thread driver;
  private volatile ExecutorState state = ExecutorState.RUNNING;

  /// The time at which a shutdown has reached its limit; valid from STOPPING on.
  private volatile long endLimit;

  /// The same by the system's clock. A virtual clock may stand still, and a task that queues itself
  /// repeatedly would then never reach the limit.
  private volatile long systemEndLimit;

  @SuppressWarnings("UnusedVariable") // by BLOCK
  private volatile int block = AWAKE;

  private boolean dispatching;
  private boolean turning;
  private long now;

  /// A queue that calls `waker`, on any thread, to wake its blocked driver. Error messages contain
  /// `name`.
  RunQueue(String name, Clock clock, Runnable waker) {
    this.name = name;
    this.clock = clock;
    this.waker = waker;
    this.timers = new Timers(clock);
    this.now = clock.nanoTime();
  }

  /// Makes the calling thread the driver, which never changes.
  ///
  /// @throws IllegalStateException if another thread drives this queue, or the caller is a virtual
  ///   thread
  public void bind() {
    Thread current = Thread.currentThread();
    if (current.isVirtual()) {
      throw new IllegalStateException("an executor cannot be driven by a virtual thread");
    }
    @Nullable Thread bound = (Thread) DRIVER.compareAndExchange(this, null, current);
    if (bound != null && bound != current) {
      throw new IllegalStateException(
          "this executor is driven by " + bound.getName() + ", not by " + current.getName());
    }
  }

  /// True once a thread drives it.
  public boolean isBound() {
    return driver != null;
  }

  /// True on the driver's thread.
  public boolean inLoop() {
    return Thread.currentThread() == driver;
  }

  /// True while tasks or timers are being run. Driver only.
  public boolean inTurn() {
    return turning;
  }

  /// The executor's name.
  String name() {
    return name;
  }

  /// The clock of this executor.
  Clock clock() {
    return clock;
  }

  /// Nanoseconds of the clock, as last read by the driver. Driver only.
  public long now() {
    return now;
  }

  /// Timers that are waiting. Driver only.
  int timers() {
    return timers.size();
  }

  // ---- tasks ----

  /// See [EventExecutor#execute].
  void execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    boolean inLoop = inLoop();
    ExecutorState seen = state;
    if (seen != ExecutorState.RUNNING && (seen == ExecutorState.ENDED || !inLoop)) {
      throw refusal();
    }
    tasks.offer(task);
    if (!inLoop) {
      wake();
      if (state == ExecutorState.ENDED && takeBack(task)) {
        throw refusal();
      }
    }
  }

  private RejectedExecutionException refusal() {
    return new RejectedExecutionException(
        state == ExecutorState.ENDED
            ? "executor '" + name + "' has ended"
            : "executor '" + name + "' is being shut down and takes no tasks from other threads");
  }

  /// Decides a race between an offer and [#end]: either [#end] runs the task, or this method
  /// removes it and returns true. All tasks in a drained queue come from threads that call this
  /// method. Each thread removes one entry, because several threads may have offered the same task.
  private boolean takeBack(Runnable task) {
    synchronized (late) {
      if (!drained) {
        return false;
      }
      @Nullable Runnable left;
      while ((left = pollLast()) != null) {
        late.add(left);
      }
      for (int i = 0; i < late.size(); i++) {
        if (late.get(i) == task) {
          late.remove(i);
          return true;
        }
      }
      return false;
    }
  }

  /// Wakes a driver that blocks or is about to block. Any thread.
  public void wake() {
    if (block == BLOCKING && BLOCK.compareAndSet(this, BLOCKING, AWAKE)) {
      waker.run();
    }
  }

  /// See [EventExecutor#dispatch].
  void dispatch(Runnable task) {
    if (inLoop()) {
      dispatchHere(task);
    } else if (state == ExecutorState.ENDED || !offer(new DispatchedTask(task))) {
      Trampoline.run(task);
    }
  }

  private boolean offer(DispatchedTask dispatchedTask) {
    tasks.offer(dispatchedTask);
    wake();
    return state != ExecutorState.ENDED || !takeBack(dispatchedTask);
  }

  private void dispatchHere(Runnable task) {
    if (dispatching) {
      dispatched.add(task);
      return;
    }
    dispatching = true;
    try {
      @Nullable Runnable next = task;
      while (next != null) {
        guard(next);
        next = dispatched.poll();
      }
    } finally {
      dispatching = false;
    }
  }

  /// A dispatched task on its way from another thread. It runs even past the end of a shutdown.
  private final class DispatchedTask implements Task {
    private final Runnable task;

    DispatchedTask(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      dispatchHere(task);
    }

    @Override
    public void abandoned(Throwable cause) {
      dispatchHere(task);
    }
  }

  // ---- timers ----

  /// See [EventExecutor#schedule].
  Timer schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    return start(task, delay);
  }

  /// See [EventExecutor#scheduleAtFixedRate].
  Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    return start(periodic(task, "period", period, false), initialDelay);
  }

  /// See [EventExecutor#scheduleWithFixedDelay].
  Timer scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
    return start(periodic(task, "delay", delay, true), initialDelay);
  }

  private static HeapTimer.Periodic periodic(
      Runnable task, String what, Duration nanos, boolean fromEnd) {
    Objects.requireNonNull(task, "task");
    if (!nanos.isPositive()) {
      throw new IllegalArgumentException(what + " is " + nanos + ", expected more than zero");
    }
    return new HeapTimer.Periodic(task, saturatedNanos(nanos), fromEnd);
  }

  private HeapTimer start(Runnable task, Duration delay) {
    long deadline = clock.nanoTime() + saturatedNanos(delay);
    HeapTimer timer = new HeapTimer(this, task);
    if (inLoop()) {
      timers.add(timer, deadline);
    } else {
      execute(new Arrival(timer, deadline));
    }
    return timer;
  }

  /// From 0 to a hundred years.
  static long saturatedNanos(Duration duration) {
    long seconds = duration.getSeconds();
    if (seconds < 0) {
      return 0;
    }
    return seconds >= MAX_SECONDS
        ? MAX_SECONDS * 1_000_000_000
        : seconds * 1_000_000_000 + duration.getNano();
  }

  /// A timer on its way from another thread.
  private final class Arrival implements Task {
    private final HeapTimer timer;
    private final long deadline;

    Arrival(HeapTimer timer, long deadline) {
      this.timer = timer;
      this.deadline = deadline;
    }

    @Override
    public void run() {
      timers.add(timer, deadline);
    }

    @Override
    public void abandoned(Throwable cause) {
      timer.abandon(cause);
    }
  }

  void forget(HeapTimer timer) {
    if (inLoop()) {
      timers.remove(timer);
    } else if (state != ExecutorState.ENDED) {
      tasks.offer(new Departure(timer));
      wake();
    }
  }

  /// A timer that was cancelled on another thread.
  private final class Departure implements Task {
    private final HeapTimer timer;

    Departure(HeapTimer timer) {
      this.timer = timer;
    }

    @Override
    public void run() {
      timers.remove(timer);
    }

    @Override
    public void abandoned(Throwable cause) {
      // the heap it was in has been emptied
    }
  }

  // ---- turns ----

  /// Announces that the driver is about to block. Reads the clock, unless there is work.
  ///
  /// @return how many nanoseconds it may block: 0 when there is work, `Long.MAX_VALUE` when there
  ///   is no timer
  public long prepareToBlock() {
    block = BLOCKING;
    if (!tasks.isEmpty() || state != ExecutorState.RUNNING) {
      block = AWAKE;
      return 0;
    }
    now = clock.nanoTime();
    if (timers.size() == 0) {
      return Long.MAX_VALUE;
    }
    long wait = timers.firstDeadline() - now;
    if (wait <= 0) {
      block = AWAKE;
      return 0;
    }
    return wait;
  }

  /// Records that the driver no longer blocks, and reads the clock.
  public void awake() {
    if (block != AWAKE) { // a store would be a fence
      block = AWAKE;
    }
    now = clock.nanoTime();
  }

  /// Reads the clock. Driver only.
  public void readClock() {
    now = clock.nanoTime();
  }

  /// Runs the timers that are due by [#now] and at most `budget` tasks; none once a shutdown has
  /// begun. Up to 32 tasks that ran may stay referenced until others arrive, or [#prepareToBlock]
  /// or [#end] is called.
  ///
  /// @return how many tasks and timers ran
  public int runReady(int budget) {
    return run(budget, true);
  }

  /// Like [#runReady], but returns early when the next task is not yet complete in the queue,
  /// because its producer is still adding it. For a driver that has other work between batches:
  /// tasks accumulate meanwhile, which is cheaper for both sides than running each task at once.
  ///
  /// @return how many tasks and timers ran; while the state is `RUNNING`, 0 only if there were none
  public int runBatch(int budget) {
    return run(budget, false);
  }

  private int run(int budget, boolean all) {
    boolean outer = turning;
    turning = true;
    int ran = timers.runDue(now);
    @Nullable Runnable task;
    for (int left = budget; left > 0 && state == ExecutorState.RUNNING; left--) {
      task = all || ran == 0 ? tasks.poll() : tasks.pollReady();
      if (task == null) {
        break;
      }
      guard(task);
      ran++;
    }
    turning = outer;
    return ran;
  }

  // ---- the end ----

  /// The current state. Any thread.
  public ExecutorState state() {
    return state;
  }

  /// See [EventExecutor#shutdown]. Any thread.
  void shutdown(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("limit is " + limit + ", expected zero or more");
    }
    long nanos = saturatedNanos(limit);
    long end = clock.nanoTime() + nanos;
    long systemEnd = System.nanoTime() + nanos;
    synchronized (late) {
      boolean isFirst = state == ExecutorState.RUNNING;
      if (isFirst || end - endLimit < 0) {
        endLimit = end;
      }
      if (isFirst || systemEnd - systemEndLimit < 0) {
        systemEndLimit = systemEnd;
      }
      if (isFirst) {
        state = state.next();
      }
    }
    wake();
  }

  private boolean isOverLimit() {
    return clock.nanoTime() - endLimit >= 0 || System.nanoTime() - systemEndLimit >= 0;
  }

  /// Cancels the timers and runs what is queued, until nothing is left or the limit has passed.
  /// Driver only, outside turns, when the state is STOPPING.
  ///
  /// @return how many tasks ran
  public int drain() {
    turning = true;
    cancelTimers();
    int ran = 0;
    @Nullable Runnable task;
    while (!isOverLimit() && (task = tasks.poll()) != null) {
      guard(task);
      ran++;
    }
    turning = false;
    return ran;
  }

  private void cancelTimers() {
    if (!timers.areClosed()) {
      timers.close(
          new CancellationException(
              "executor '" + name + "' was shut down before the timer's time"));
    }
  }

  /// Ends: no task is accepted from here on. Tasks that came since [#drain] run; after the limit
  /// they are abandoned or dropped. Driver only, outside turns, when the state is STOPPING.
  public void end() {
    turning = true;
    cancelTimers();
    synchronized (late) {
      state = state.next();
    }
    int left = 0;
    @Nullable RejectedExecutionException cause = null;
    @Nullable Runnable task;
    while ((task = pollEnding()) != null) {
      if (!isOverLimit()) {
        guard(task);
      } else if (task instanceof Task owner) {
        cause = cause == null ? atLimit() : cause;
        abandon(owner, cause);
      } else {
        left++;
      }
    }
    turning = false;
    if (left > 0) {
      log(
          System.Logger.Level.WARNING,
          "executor '" + name + "' has ended at the limit of its shutdown, tasks not run: " + left,
          null);
    }
  }

  private RejectedExecutionException atLimit() {
    return new RejectedExecutionException(
        "executor '" + name + "' has ended at the limit of its shutdown before it ran this task");
  }

  private @Nullable Runnable pollEnding() {
    synchronized (late) {
      @Nullable Runnable task = pollLast();
      drained = task == null;
      return task;
    }
  }

  /// Checks for an empty queue first, which makes the queue drop its references to tasks that were
  /// taken; no later turn does so.
  private @Nullable Runnable pollLast() {
    return tasks.isEmpty() ? null : tasks.poll();
  }

  static void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      logFailure("a task threw", t);
    }
  }

  /// Notifies a task that it will not run.
  static void abandon(Task task, Throwable cause) {
    try {
      task.abandoned(cause);
    } catch (Throwable t) {
      logFailure("a task threw when it was abandoned", t);
    }
  }

  static void logFailure(String what, Throwable failure) {
    log(System.Logger.Level.ERROR, what, failure);
  }

  /// A failure of the logger must not end the executor.
  private static void log(System.Logger.Level level, String what, @Nullable Throwable failure) {
    try {
      LOG.log(level, what, failure);
    } catch (Throwable _) {
      // a failure to log cannot be logged
    }
  }
}
