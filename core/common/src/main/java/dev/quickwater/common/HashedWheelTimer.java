package dev.quickwater.common;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Very many timers that need no precision, such as the idle timeouts of a million connections
/// (after G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", 1987, scheme 6).
///
/// - **Precision:** a task runs never early, and at most one tick after its time while the executor
///   keeps up. Within a tick no order is promised.
/// - **Cost:** scheduling and cancelling are O(1) from any thread under a lock that is held for
///   some nanoseconds. A cancelled timer leaves at once. A tick looks at the timers of its slot:
///   those that are due, and those of later revolutions. A hierarchy of wheels would spare the
///   latter, and move all timers of a coarse slot in one tick instead: for a million equal timeouts
///   that is a pause where this spreads the work over the revolution.
/// - **The executor** runs the tasks, at most a thousand before it has a turn at other things, and
///   lends its clock; give the wheel a [ThreadExecutor] where tasks may take long. Without a timer
///   that waits there are no ticks. When the executor ends, the wheel stops.
///
/// A task that throws is logged.
public final class HashedWheelTimer implements AutoCloseable {

  /// How many tasks run in one turn of the executor.
  private static final int TASKS_PER_TURN = 1024;

  /// How many timers or slots are looked at under one hold of the lock.
  private static final int LOOKS = 64;

  private final EventExecutor executor;
  private final Clock clock;
  private final WheelSettings settings;
  private final long tickNanos;

  /// The time of tick 0.
  private final long start;

  private final Object lock = new Object();

  // All below under the lock.

  /// The heads of the slots, each made when it is first used.
  private final @Nullable WheelLink[] slots;

  /// The head of the slot that is being looked at, and in its ring the place where that goes on. So
  /// timers of later revolutions stay where they are, and only those that are due are written.
  private @Nullable WheelLink looking;

  private final WheelLink bookmark = new WheelLink();

  /// The next tick to look at.
  private long cursor;

  private int pending;
  private boolean ticking;
  private boolean stopped;

  private final WheelTimer[] due = new WheelTimer[LOOKS];

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
    this.start = clock.nanoTime();
    executor.ended().onComplete(_ -> stop());
  }

  /// Runs `task` on the executor once after `delay`. Any thread.
  ///
  /// @throws RejectedExecutionException if [WheelSettings#mostPending] timers wait already, the
  ///   wheel has stopped, or its executor is being shut down
  public Timer schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    long now = clock.nanoTime() - start;
    long tick = (now + RunQueue.saturatedNanos(delay) + tickNanos - 1) / tickNanos;
    WheelTimer timer = new WheelTimer(this, task, tick);
    boolean first;
    synchronized (lock) {
      if (stopped || pending >= settings.mostPending()) {
        throw refusal();
      }
      first = !ticking;
      if (first) {
        ticking = true;
        cursor = Math.max(cursor, now / tickNanos + 1); // nothing waited, nothing is passed over
      }
      timer.tick = Math.max(tick, cursor);
      slot(timer.tick).append(timer);
      pending++;
    }
    if (first) {
      startTicking(timer);
    }
    return timer;
  }

  private RejectedExecutionException refusal() {
    return new RejectedExecutionException(
        stopped
            ? "the wheel has stopped"
            : pending + " timers wait already, as many as mostPending of WheelSettings allows");
  }

  private WheelLink slot(long tick) {
    int index = (int) tick & slots.length - 1;
    @Nullable WheelLink head = slots[index];
    if (head == null) {
      head = new WheelLink();
      slots[index] = head;
    }
    return head;
  }

  private void startTicking(WheelTimer timer) {
    try {
      scheduleTick();
    } catch (RejectedExecutionException e) {
      synchronized (lock) {
        ticking = false;
      }
      timer.cancel();
      throw e;
    }
  }

  private void scheduleTick() {
    long next;
    synchronized (lock) {
      next = start + cursor * tickNanos;
    }
    executor.schedule(this::tick, Duration.ofNanos(next - clock.nanoTime()));
  }

  boolean cancel(WheelTimer timer) {
    synchronized (lock) {
      if (!timer.isWaiting()) {
        return false;
      }
      timer.ended();
      timer.leave();
      pending--;
      return true;
    }
  }

  /// Timers that wait. Any thread.
  public int pending() {
    synchronized (lock) {
      return pending;
    }
  }

  // ---- the executor's side ----

  private void tick() {
    long now = (clock.nanoTime() - start) / tickNanos;
    int ran = 0;
    boolean more = true;
    while (more && ran < TASKS_PER_TURN) {
      int count;
      synchronized (lock) {
        count = takeDue(now);
        more = cursor <= now || looking != null;
      }
      for (int i = 0; i < count; i++) {
        run(due[i]);
      }
      ran += count;
    }
    if (more) {
      executor.execute(this::tick);
    } else if (goesOn()) {
      scheduleTick();
    }
  }

  private boolean goesOn() {
    synchronized (lock) {
      ticking = pending > 0;
      return ticking;
    }
  }

  /// Moves timers that are due at tick `now` to [#due], as far as a few looks reach.
  private int takeDue(long now) {
    // A clock that has jumped over a whole revolution: each slot is looked at once.
    cursor = Math.max(cursor, now - slots.length + 1);
    int count = 0;
    int looks = LOOKS;
    while (looks > 0 && (looking != null || cursor <= now)) {
      @Nullable WheelLink head = looking;
      WheelLink link = bookmark.next;
      if (head == null) {
        looks--;
        head = slots[(int) cursor++ & slots.length - 1];
        if (head == null) {
          continue;
        }
        link = head.next;
      }
      bookmark.leave();
      while (looks > 0 && link instanceof WheelTimer timer) {
        looks--;
        link = timer.next;
        if (timer.tick < cursor) {
          timer.leave();
          timer.runs();
          due[count++] = timer;
        }
      }
      if (link == head) {
        looking = null;
      } else {
        looking = head;
        link.append(bookmark);
      }
    }
    pending -= count;
    return count;
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
    synchronized (lock) {
      stopped = true;
      List<Runnable> tasks = new ArrayList<>(pending);
      looking = null;
      bookmark.leave();
      for (@Nullable WheelLink head : slots) {
        if (head != null) {
          takeAll(head, tasks);
        }
      }
      pending = 0;
      return tasks;
    }
  }

  private static void takeAll(WheelLink head, List<Runnable> tasks) {
    while (head.next instanceof WheelTimer timer) {
      timer.leave();
      timer.ended();
      tasks.add(timer.task);
    }
  }

  /// [#stop].
  @Override
  public void close() {
    stop();
  }
}
