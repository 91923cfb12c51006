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

/// Very many timers that need no precision, such as the idle timeouts of a million connections
/// (after G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", 1987, scheme 6).
///
/// - **Precision:** a task runs never early, and at most one tick after its time while the executor
///   keeps up. Within a tick no order is promised.
/// - **Cost:** scheduling and cancelling are O(1) from any thread, under the lock of one slot,
///   which is held for some nanoseconds. A cancelled timer leaves at once. A tick looks at the
///   timers of its slot: those that are due, and those of later revolutions. A hierarchy of wheels
///   would spare the latter, and move all timers of a coarse slot in one tick instead: for a
///   million equal timeouts that is a pause where this spreads the work over the revolution.
/// - **The executor** runs the tasks, at most a thousand before it has a turn at other things, and
///   lends its clock; give the wheel a [ThreadExecutor] where tasks may take long. Without a timer
///   that waits there are no ticks. When the executor ends, the wheel stops, and abandons each
///   [Task] that waited.
///
/// A task that throws is logged.
public final class HashedWheelTimer implements AutoCloseable {

  /// How many tasks run in one turn of the executor.
  private static final int TASKS_PER_TURN = 1024;

  /// How often a slot is locked in one turn of the executor.
  private static final int LOCKS_PER_TURN = 1024;

  /// How many timers are looked at under one hold of a lock.
  private static final int LOOKS = 64;

  private final EventExecutor executor;
  private final Clock clock;
  private final WheelSettings settings;
  private final long tickNanos;

  /// The time of tick 0.
  private final long start;

  /// The heads of the slots' rings, each of which is the lock of its slot.
  private final WheelLink[] slots;

  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private volatile boolean stopped;

  /// The next tick to look at. It moves on before its slot is locked: whoever holds the lock and
  /// finds it at or before a tick knows that the slot is yet to be looked at for that.
  private volatile long cursor;

  // The executor's own.

  /// The slot that is being looked at, and in its ring the place where that goes on. So timers of
  /// later revolutions stay where they are, and only those that are due are written.
  private @Nullable WheelLink looking;

  private final WheelLink bookmark = new WheelLink();

  /// Timers that have left their slot and wait for those before them.
  private final @Nullable WheelTimer[] due = new WheelTimer[LOOKS];

  /// A wheel with [WheelSettings#DEFAULT].
  public HashedWheelTimer(EventExecutor executor) {
    this(executor, WheelSettings.DEFAULT);
  }

  /// A wheel that `executor` turns.
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

  /// An executor outlives many a wheel. While a timer waits, the tick to come holds its wheel.
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
  /// @throws RejectedExecutionException if [WheelSettings#mostPending] timers wait already, the
  ///   wheel has stopped, or its executor is being shut down
  public Timer schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    if (executor.state() != ExecutorState.RUNNING) {
      throw new RejectedExecutionException("the wheel's executor is being shut down");
    }
    long now = clock.nanoTime() - start;
    long tick = (now + RunQueue.saturatedNanos(delay) + tickNanos - 1) / tickNanos;
    WheelTimer timer = new WheelTimer(this, task, tick);
    if (pending.getAndIncrement() >= settings.mostPending()) {
      pending.decrementAndGet();
      throw new RejectedExecutionException(
          settings.mostPending()
              + " timers wait already, as many as mostPending of WheelSettings allows");
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

  // ---- the executor's side ----

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

  /// If an error comes between, such as for want of memory, the next timer starts the ticks again.
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

  /// Whoever schedules counts first and then looks whether there are ticks; this does the reverse.
  private boolean goesOn() {
    if (pending.get() > 0) {
      return true;
    }
    ticking.set(false);
    return pending.get() > 0 && ticking.compareAndSet(false, true);
  }

  /// Moves timers that are due at tick `now` to [#due]: of one slot, as far as a few looks reach.
  private int takeDue(long now) {
    @Nullable WheelLink begun = looking;
    if (begun == null) {
      // A clock that has jumped over a whole revolution: each slot is looked at once.
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

  /// Ends the wheel: no timer runs any more, none is taken. Any thread, any number of times.
  ///
  /// @return the tasks that waited
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
    // What has left a slot was written there under its lock, which this has held since.
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
