package dev.quickwater.http1;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The one deadline that a connection is under at a time, moved often and reached seldom.
///
/// Moving it later only writes a field: the timer compares when it fires and is scheduled again for
/// the rest. A deadline that comes earlier than the timer replaces the timer. It is itself the task
/// of the timer: an idle connection has one pending, and a lambda would be a further object.
final class Deadlines implements Runnable {

  private static final long NEVER = Long.MAX_VALUE;

  private final EventLoop loop;
  private final Http1ServerHandler owner;
  private long deadline = NEVER;
  private long timerAt;
  private @Nullable Timer timer;

  /// Calls `owner` when the deadline is reached.
  Deadlines(EventLoop loop, Http1ServerHandler owner) {
    this.loop = loop;
    this.owner = owner;
  }

  void set(long nanosFromNow) {
    long at = loop.now() + nanosFromNow;
    deadline = at;
    @Nullable Timer running = timer;
    if (running == null) {
      arm(nanosFromNow);
    } else if (at - timerAt < 0) {
      running.cancel();
      arm(nanosFromNow);
    }
  }

  void clear() {
    deadline = NEVER;
  }

  private void arm(long nanos) {
    timerAt = loop.now() + nanos;
    timer = loop.schedule(this, Duration.ofNanos(nanos));
  }

  @Override
  public void run() {
    timer = null;
    if (deadline == NEVER) {
      return;
    }
    long left = deadline - loop.now();
    if (left > 0) {
      arm(left);
    } else {
      deadline = NEVER;
      owner.deadlineReached();
    }
  }

  void cancel() {
    deadline = NEVER;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
