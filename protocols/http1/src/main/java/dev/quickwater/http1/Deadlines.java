package dev.quickwater.http1;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The deadline of a connection; at most one at a time, moved often and reached seldom.
///
/// Moving the deadline later only writes a field: the timer compares when it fires and is scheduled
/// again for the rest. A deadline that is earlier than the timer replaces the timer. This object is
/// also the task of the timer, because an idle connection has one pending timer, and a lambda would
/// be a further object.
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
