package dev.quickwater.common;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A timer for large numbers of timeouts without precision, such as the idle timeouts of a million
/// connections (after G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", 1987,
/// scheme 6).
///
/// - **Precision:** a task never runs early, and at most one tick after its time while the executor
///   keeps up. There is no order within a tick.
/// - **Cost:** scheduling and cancelling are O(1) from any thread, under the lock of one slot,
///   which is held for some nanoseconds. A cancelled timer is removed at once. A tick visits all
///   timers of its slot: those that are due and those of later revolutions. A hierarchy of wheels
///   would avoid the latter, but it would move all timers of a coarse slot in one tick. With a
///   million equal timeouts that is a pause, where this design spreads the work over the
///   revolution.
/// - **The executor** runs the tasks, at most a thousand in one turn, and provides the clock. Tasks
///   that may take long need a separate [ThreadExecutor]. There are no ticks while no timer waits.
///   When the executor ends, the wheel stops and abandons each waiting [Task].
///
/// A task that throws is logged.
public final class HashedWheelTimer implements AutoCloseable {

  /// The maximum number of tasks in one turn of the executor.
  private static final int TASKS_PER_TURN = 1024;

  /// The maximum number of times that a slot is locked in one turn of the executor.
  private static final int LOCKS_PER_TURN = 1024;

  /// The maximum number of timers that are visited while a lock is held.
  private static final int LOOKS = 64;

  private final EventExecutor executor;
  private final Clock clock;
  private final WheelSettings settings;
  private final long tickNanos;

  /// The time of tick 0.
  private final long start;

  /// The heads of the slots' rings. Each is the lock of its slot.
  private final WheelLink[] slots;

  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private volatile boolean stopped;

  /// The next tick to process. The executor increases this field before it locks the slot of the
  /// tick. If a thread holds the lock of a slot and this field is not greater than a tick of the
  /// slot, the executor has yet to visit the slot for that tick.
  private volatile long cursor;

  // Used by the executor's thread alone.

  /// The slot whose visit stopped at the limit of visits, or null. [#bookmark] is in the ring of
  /// the slot where the visit resumes, so timers of later revolutions need not be moved.
  private @Nullable WheelLink looking;

  private final WheelLink bookmark = new WheelLink();

  /// The current batch: timers that were removed from their slot and have not run yet.
  private final @Nullable WheelTimer[] due = new WheelTimer[LOOKS];

  /// A wheel with [WheelSettings#DEFAULT].
  public HashedWheelTimer(EventExecutor executor) {
    this(executor, WheelSettings.DEFAULT);
  }

  /// A wheel that `executor` drives.
  public HashedWheelTimer(EventExecutor executor, WheelSettings settings) {
    this.executor = executor;
    this.clock = executor.clock();
    this.settings = settings;
    this.tickNanos = settings.tick().toNanos();
    this.slots = new WheelLink[settings.slots()];
    Arrays.setAll(slots, _ -> new WheelLink());
    this.start = clock.nanoTime();
    stopWith(executor, new WeakReference<>(this));
  }

  /// An executor may outlive its wheels. While a timer waits, the next tick keeps the wheel
  /// reachable.
  private static void stopWith(EventExecutor executor, WeakReference<HashedWheelTimer> wheel) {
    executor
        .ended()
        .onComplete(_ -> {
          @Nullable HashedWheelTimer ending = wheel.get();
          if (ending != null) {
            ending.abandonAll(new CancellationException("the wheel's executor has ended"));
          }
        });
  }

  /// Runs `task` on the executor once after `delay`. Any thread.
  ///
  /// @throws RejectedExecutionException if [WheelSettings#maxPending] timers are waiting, the wheel
  ///   has stopped, or its executor is shutting down
  public Timer schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    if (executor.state() != ExecutorState.RUNNING) {
      throw new RejectedExecutionException("the wheel's executor is being shut down");
    }
    long now = clock.nanoTime() - start;
    long tick = (now + RunQueue.saturatedNanos(delay) + tickNanos - 1) / tickNanos;
    WheelTimer timer = new WheelTimer(this, task, tick);
    if (pending.getAndIncrement() >= settings.maxPending()) {
      pending.decrementAndGet();
      throw new RejectedExecutionException(
          settings.maxPending()
              + " timers wait already, as many as maxPending of WheelSettings allows");
    }
    enter(timer);
    if (!ticking.get() && ticking.compareAndSet(false, true)) {
      startTicking(timer, now / tickNanos + 1);
    }
    return timer;
  }

  private void enter(WheelTimer timer) {
    boolean entered = false;
    try {
      while (!add(timer)) {
        timer.tick = cursor;
      }
      entered = true;
    } finally {
      if (!entered) {
        pending.decrementAndGet();
      }
    }
  }

  /// False if the wheel has passed the timer's tick.
  private boolean add(WheelTimer timer) {
    WheelLink slot = slot(timer.tick);
    synchronized (slot) {
      if (stopped) {
        throw new RejectedExecutionException("the wheel has stopped");
      }
      if (cursor > timer.tick) {
        return false;
      }
      slot.append(timer);
      return true;
    }
  }

  private WheelLink slot(long tick) {
    return slots[(int) tick & slots.length - 1];
  }

  private void startTicking(WheelTimer timer, long tick) {
    boolean started = false;
    try {
      scheduleTick(tick);
      started = true;
    } finally {
      if (!started) {
        ticking.set(false);
        timer.cancel();
      }
    }
  }

  private void scheduleTick(long tick) {
    long wait = start + tick * tickNanos - clock.nanoTime();
    executor.schedule(this::tick, Duration.ofNanos(wait));
  }

  boolean cancel(WheelTimer timer) {
    synchronized (slot(timer.tick)) {
      if (timer.isAlone()) {
        return timer.end();
      }
      timer.leave();
      timer.ended();
    }
    pending.decrementAndGet();
    return true;
  }

  /// Timers that wait for their time. Any thread.
  public int pending() {
    return pending.get();
  }

  // ---- on the executor's thread ----

  private void tick() {
    long now = (clock.nanoTime() - start) / tickNanos;
    int ran = 0;
    boolean more = true;
    for (int locks = LOCKS_PER_TURN; more && locks > 0 && ran < TASKS_PER_TURN; locks--) {
      int count = takeDue(now);
      runDue(count);
      ran += count;
      more = looking != null || cursor <= now;
    }
    goOn(more);
  }

  /// Schedules the next tick if one is needed. If that fails, for example for lack of memory, the
  /// ticks stop, and the next call of [#schedule] starts them again.
  private void goOn(boolean more) {
    boolean done = false;
    try {
      if (more) {
        executor.execute(this::tick);
      } else if (goesOn()) {
        scheduleTick(cursor);
      }
      done = true;
    } finally {
      if (!done) {
        ticking.set(false);
      }
    }
  }

  /// True if the ticks must continue; otherwise clears [#ticking]. [#schedule] first increases
  /// [#pending] and then reads [#ticking]. This method first clears [#ticking] and then reads
  /// [#pending]. At least one of the two therefore sees the change of the other.
  private boolean goesOn() {
    if (pending.get() > 0) {
      return true;
    }
    ticking.set(false);
    return pending.get() > 0 && ticking.compareAndSet(false, true);
  }

  /// Moves timers that are due at tick `now` to [#due]: from one slot, up to the limit of visits.
  private int takeDue(long now) {
    @Nullable WheelLink begun = looking;
    if (begun == null) {
      // The clock has jumped over a whole revolution: each slot is visited once.
      cursor = Math.max(cursor, now - slots.length + 1) + 1;
    }
    long passed = cursor;
    WheelLink slot = begun == null ? slot(passed - 1) : begun;
    int count = 0;
    synchronized (slot) {
      WheelLink link = begun == null ? slot.next : bookmark.next;
      bookmark.leave();
      for (int looks = LOOKS; looks > 0 && link instanceof WheelTimer timer; looks--) {
        link = timer.next;
        if (timer.tick < passed) {
          timer.leave();
          due[count++] = timer;
        }
      }
      looking = null;
      if (link instanceof WheelTimer) {
        looking = slot;
        link.append(bookmark);
      }
    }
    if (count > 0) {
      pending.addAndGet(-count);
    }
    return count;
  }

  private void runDue(int count) {
    for (int i = 0; i < count; i++) {
      @Nullable WheelTimer timer = due[i];
      due[i] = null;
      if (timer != null && timer.begin()) {
        run(timer);
      }
    }
  }

  private static void run(WheelTimer timer) {
    try {
      timer.task.run();
    } catch (Throwable t) {
      RunQueue.logFailure("a timer threw", t);
    } finally {
      timer.ended();
    }
  }

  /// Stops the wheel: timers no longer run, and further ones are refused. Any thread, any number of
  /// times.
  ///
  /// @return the tasks that were waiting
  public List<Runnable> stop() {
    stopped = true;
    List<Runnable> tasks = new ArrayList<>();
    for (WheelLink slot : slots) {
      synchronized (slot) {
        while (!slot.isAlone()) {
          WheelLink link = slot.next;
          link.leave();
          if (link instanceof WheelTimer timer) {
            timer.ended();
            tasks.add(timer.task);
          }
        }
      }
    }
    pending.addAndGet(-tasks.size());
    // The executor writes [#due] while it holds the lock of a slot. This thread has locked every
    // slot since `stopped` was set, so it sees those entries.
    for (@Nullable WheelTimer timer : due) {
      if (timer != null && timer.end()) {
        tasks.add(timer.task);
      }
    }
    return tasks;
  }

  /// [#stop]; each [Task] that waited is abandoned.
  @Override
  public void close() {
    abandonAll(new CancellationException("the wheel was closed before the timer's time"));
  }

  private void abandonAll(CancellationException cause) {
    for (Runnable task : stop()) {
      if (task instanceof Task owner) {
        RunQueue.abandon(owner, cause);
      }
    }
  }
}
