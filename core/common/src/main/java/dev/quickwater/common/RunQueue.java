package dev.quickwater.common;

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

/// The tasks, timers and life of one event executor, without its thread: whoever drives the
/// executor calls [#runReady] in turns and blocks in between as it likes.
///
/// - **Wake-ups are elided.** A producer wakes the driver only when the driver has announced with
///   [#prepareToBlock] that it is about to block, and only once.
/// - **The driver** is the first platform thread that calls [#bind]; it never changes.
/// - **Time is read once a turn.** [#now] is the time of the current turn; timers that became due
///   during the turn run in the next.
/// - **The end** is the driver's work: once [#state] is no longer `RUNNING` it calls [#drain] and
///   [#end], and frees what is its own in between. The limit of a shutdown has passed when this
///   queue's clock says so, or the system's. A [Task] that is left then is abandoned; other tasks
///   are dropped and counted in a log record.
public final class RunQueue {

  private static final System.Logger LOG = System.getLogger(RunQueue.class.getName());

  private static final int AWAKE = 0;
  private static final int BLOCKING = 1;

  /// Half of the clock's range or less, so that differences of two deadlines never overflow.
  private static final long MOST_SECONDS = Duration.ofDays(36_500).toSeconds();

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

  /// Tasks that came while the queue ended, until their producers take them back. Its lock makes
  /// one consumer of [#tasks] of the driver and those producers, and guards changes of the state.
  private final List<Runnable> late = new ArrayList<>();

  /// True once [#end] has taken the last task that it will run. Guarded by [#late].
  private boolean drained;

  private volatile @Nullable Thread driver;
  private volatile ExecutorState state = ExecutorState.RUNNING;

  /// When a shutdown has taken as long as it may; means something from STOPPING on.
  private volatile long endLimit;

  /// The same by the system's clock: one that a test moves may stand still meanwhile, and a task
  /// that queues itself for ever would then never come to an end.
  private volatile long systemEndLimit;

  @SuppressWarnings("UnusedVariable") // by BLOCK
  private volatile int block = AWAKE;

  private boolean dispatching;
  private boolean turning;
  private long now;

  /// For a driver that `waker` wakes when it blocks; `waker` is called from any thread. Errors call
  /// the executor by `name`.
  public RunQueue(String name, Clock clock, Runnable waker) {
    this.name = name;
    this.clock = clock;
    this.waker = waker;
    this.timers = new Timers(clock);
    this.now = clock.nanoTime();
  }

  /// Makes the calling thread the driver, for good.
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
  public String name() {
    return name;
  }

  /// The clock of this executor.
  public Clock clock() {
    return clock;
  }

  /// Nanoseconds of the clock, as read at the start of the current turn. Driver only.
  public long now() {
    return now;
  }

  /// Timers that are waiting. Driver only.
  public int timers() {
    return timers.size();
  }

  // ---- tasks ----

  /// See [EventExecutor#execute].
  public void execute(Runnable task) {
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

  /// Settles the race of an offer with [#end]: the task runs there, or this takes it back. What is
  /// in the queue once it was drained came from producers that all get here. Each takes one back:
  /// several may have offered the same task.
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

  /// Makes a driver that blocks, or is about to, go on. Any thread.
  public void wake() {
    if (block == BLOCKING && BLOCK.compareAndSet(this, BLOCKING, AWAKE)) {
      waker.run();
    }
  }

  /// See [EventExecutor#dispatch].
  public void dispatch(Runnable task) {
    if (inLoop()) {
      dispatchHere(task);
    } else if (state == ExecutorState.ENDED || !offer(new Notice(task))) {
      Trampoline.run(task);
    }
  }

  private boolean offer(Notice notice) {
    tasks.offer(notice);
    wake();
    return state != ExecutorState.ENDED || !takeBack(notice);
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
  private final class Notice implements Task {
    private final Runnable task;

    Notice(Runnable task) {
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
  public Timer schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    return start(task, delay);
  }

  /// See [EventExecutor#scheduleAtFixedRate].
  public Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    return start(periodic(task, "period", period, false), initialDelay);
  }

  /// See [EventExecutor#scheduleWithFixedDelay].
  public Timer scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
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
    return seconds >= MOST_SECONDS
        ? MOST_SECONDS * 1_000_000_000
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

  /// Announces that the driver is about to block.
  ///
  /// @return how many nanoseconds it may block: 0 when there is work, `Long.MAX_VALUE` when there
  ///   is no timer
  public long prepareToBlock() {
    block = BLOCKING;
    if (!tasks.isEmpty() || state != ExecutorState.RUNNING) {
      block = AWAKE;
      return 0;
    }
    if (timers.size() == 0) {
      return Long.MAX_VALUE;
    }
    long wait = timers.firstDeadline() - clock.nanoTime();
    if (wait <= 0) {
      block = AWAKE;
      return 0;
    }
    return wait;
  }

  /// Says that the driver no longer blocks, and starts a new turn by reading the clock.
  public void awake() {
    block = AWAKE;
    now = clock.nanoTime();
  }

  /// Runs the timers that are due and at most `budget` tasks, none once a shutdown has begun. Up to
  /// 32 tasks that ran may be held on to until others come, or [#prepareToBlock] or [#end] is
  /// called.
  ///
  /// @return how many tasks and timers ran
  public int runReady(int budget) {
    return run(budget, true);
  }

  /// Like [#runReady], but leaves the rest for the next turn as soon as it has caught up with a
  /// producer. For a driver that has other things to do in between, by which tasks gather: running
  /// each the moment it comes makes it dearer for both.
  ///
  /// @return how many tasks and timers ran; while the state is `RUNNING`, 0 only if there were none
  public int runBatch(int budget) {
    return run(budget, false);
  }

  private int run(int budget, boolean all) {
    boolean outer = turning;
    turning = true;
    now = clock.nanoTime();
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

  /// Where it is in its life. Any thread.
  public ExecutorState state() {
    return state;
  }

  /// See [EventExecutor#shutdown]. Any thread.
  public void shutdown(Duration limit) {
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

  /// Ends: nothing is taken from here on. What came since [#drain] runs, or after the limit, does
  /// not. Driver only, outside turns, when the state is STOPPING.
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

  /// Asks whether the queue is empty, as nobody does any more: it would hold tasks that it has
  /// given out for as long as somebody holds the executor.
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
