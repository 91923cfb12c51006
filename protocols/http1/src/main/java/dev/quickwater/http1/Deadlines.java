package dev.quickwater.http1;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The one deadline that a connection is under at a time, moved often and reached seldom.
///
/// Moving it later only writes a field: the timer looks when it fires and goes to sleep again for
/// the rest. A deadline that comes earlier than the timer replaces the timer.
final class Deadlines {

  private static final long NEVER = Long.MAX_VALUE;

  private final EventLoop loop;
  private final Runnable reached;
  private long deadline = NEVER;
  private long timerAt;
  private @Nullable Timer timer;

  Deadlines(EventLoop loop, Runnable reached) {
    this.loop = loop;
    this.reached = reached;
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
    timer = loop.schedule(this::fire, Duration.ofNanos(nanos));
  }

  private void fire() {
    timer = null;
    if (deadline == NEVER) {
      return;
    }
    long left = deadline - loop.now();
    if (left > 0) {
      arm(left);
    } else {
      deadline = NEVER;
      reached.run();
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
