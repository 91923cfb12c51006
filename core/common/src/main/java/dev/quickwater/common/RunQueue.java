package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The tasks and timers of one event executor, without its thread: whoever drives the executor
/// calls [#runReady] in turns and blocks in between as it likes.
///
/// - **Wake-ups are elided.** A producer wakes the driver only when the driver has announced with
///   [#prepareToBlock] that it is about to block, and only once.
/// - **The driver** is the first platform thread that calls [#bind]; it never changes.
/// - **Time is read once a turn.** [#now] is the time of the current turn; timers that became due
///   during the turn run in the next.
public final class RunQueue {

  private static final System.Logger LOG = System.getLogger(RunQueue.class.getName());

  private static final int AWAKE = 0;
  private static final int BLOCKING = 1;
  private static final VarHandle STATE;
  private static final VarHandle DRIVER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(RunQueue.class, "state", int.class);
      DRIVER = lookup.findVarHandle(RunQueue.class, "driver", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final MpscQueue<Runnable> tasks = new MpscQueue<>();
  private final DeadlineHeap timers = new DeadlineHeap();
  private final ArrayDeque<Runnable> dispatched = new ArrayDeque<>();

  /// Tasks that came while the queue ended, until their producers take them back. Its lock makes
  /// one consumer of [#tasks] of the driver and those producers.
  private final List<Runnable> late = new ArrayList<>();

  /// True once [#end] has taken the last task that it will run. Guarded by [#late].
  private boolean drained;

  private final List<Timer> again = new ArrayList<>();
  private final Clock clock;
  private final Runnable waker;

  private volatile @Nullable Thread driver;
  private volatile boolean ended;

  @SuppressWarnings("UnusedVariable") // by STATE
  private volatile int state = AWAKE;

  private boolean dispatching;
  private long now;
  private long sequence;

  /// For a driver that `waker` wakes when it blocks; `waker` is called from any thread.
  public RunQueue(Clock clock, Runnable waker) {
    this.clock = clock;
    this.waker = waker;
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

  /// True on the driver's thread.
  public boolean inLoop() {
    return Thread.currentThread() == driver;
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

  /// See [EventExecutor#execute].
  public void execute(Runnable task) {
    if (ended) {
      throw new RejectedExecutionException("this executor has ended");
    }
    tasks.offer(task);
    if (!inLoop()) {
      wake();
      if (ended) {
        rejectLate(task);
      }
    }
  }

  /// Settles the race of an `execute` with [#end]: the task runs there, or this takes it back. What
  /// is in the queue once it was drained came from producers that all get here.
  private void rejectLate(Runnable task) {
    synchronized (late) {
      if (!drained) {
        return;
      }
      @Nullable Runnable left;
      while ((left = tasks.poll()) != null) {
        late.add(left);
      }
      for (int i = 0; i < late.size(); i++) {
        if (late.get(i) == task) {
          late.remove(i);
          throw new RejectedExecutionException("this executor has ended");
        }
      }
    }
  }

  /// Makes a driver that blocks, or is about to, go on. Any thread.
  public void wake() {
    if (state == BLOCKING && STATE.compareAndSet(this, BLOCKING, AWAKE)) {
      waker.run();
    }
  }

  /// See [EventExecutor#dispatch].
  public void dispatch(Runnable task) {
    if (!inLoop()) {
      execute(task);
    } else if (dispatching) {
      dispatched.add(task);
    } else {
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
  }

  /// See [EventExecutor#schedule]; a `period` of zero nanoseconds runs once.
  public Timer schedule(Runnable task, Duration delay, Duration period) {
    long nanos = saturatedNanos(delay);
    Timer timer = new Timer(this, task, clock.nanoTime() + nanos, saturatedNanos(period));
    if (inLoop()) {
      add(timer);
    } else {
      execute(() -> add(timer));
    }
    return timer;
  }

  /// From 0 to half of the range, so that differences of two deadlines never overflow.
  private static long saturatedNanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(Duration.ofDays(36_500)) > 0
        ? Long.MAX_VALUE / 2
        : duration.toNanos();
  }

  private void add(Timer timer) {
    if (timer.isPending()) {
      timer.sequence = sequence++;
      timers.add(timer);
    }
  }

  void forget(Timer timer) {
    if (inLoop()) {
      removeFromHeap(timer);
    } else if (!ended) {
      tasks.offer(() -> removeFromHeap(timer));
      wake();
    }
  }

  private void removeFromHeap(Timer timer) {
    if (timer.heapIndex != Timer.OUT) {
      timers.remove(timer);
    }
  }

  /// Announces that the driver is about to block.
  ///
  /// @return how many nanoseconds it may block: 0 when there is work, `Long.MAX_VALUE` when there
  ///   is no timer
  public long prepareToBlock() {
    state = BLOCKING;
    if (!tasks.isEmpty()) {
      state = AWAKE;
      return 0;
    }
    @Nullable Timer first = timers.first();
    if (first == null) {
      return Long.MAX_VALUE;
    }
    long wait = first.deadline - clock.nanoTime();
    if (wait <= 0) {
      state = AWAKE;
      return 0;
    }
    return wait;
  }

  /// Says that the driver no longer blocks, and starts a new turn by reading the clock.
  public void awake() {
    state = AWAKE;
    now = clock.nanoTime();
  }

  /// Runs the timers that are due and at most `budget` tasks.
  ///
  /// @return how many tasks and timers ran
  public int runReady(int budget) {
    now = clock.nanoTime();
    int ran = runTimers();
    @Nullable Runnable task;
    for (int left = budget; left > 0 && (task = tasks.poll()) != null; left--) {
      guard(task);
      ran++;
    }
    return ran;
  }

  /// Periodic timers go back after all others had their turn, so that one which is far behind does
  /// not hold those up.
  private int runTimers() {
    int ran = 0;
    long sequenceLimit = sequence;
    @Nullable Timer timer;
    while ((timer = timers.first()) != null
        && timer.deadline - now <= 0
        && timer.sequence < sequenceLimit) {
      timers.remove(timer);
      ran++;
      if (runTimer(timer)) {
        again.add(timer);
      }
    }
    if (!again.isEmpty()) {
      again.forEach(this::add);
      again.clear();
    }
    return ran;
  }

  /// Refuses further tasks, runs those already queued, and drops the timers. Driver only.
  public void end() {
    ended = true;
    @Nullable Runnable task;
    while ((task = pollEnding()) != null) {
      guard(task);
    }
    @Nullable Timer timer;
    while ((timer = timers.first()) != null) {
      timers.remove(timer);
    }
  }

  private @Nullable Runnable pollEnding() {
    synchronized (late) {
      @Nullable Runnable task = tasks.poll();
      drained = task == null;
      return task;
    }
  }

  /// True after [#end].
  public boolean hasEnded() {
    return ended;
  }

  private static boolean runTimer(Timer timer) {
    try {
      return timer.run();
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.ERROR, "a timer threw", t);
      return false;
    }
  }

  private static void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.ERROR, "a task threw", t);
    }
  }
}
