package dev.quickwater.channel;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reports an event or task that occupies a loop for longer than a limit. Such an event stops all
/// channels of the loop.
///
/// - A daemon thread checks the loops twice per limit. A loop pays a few plain stores for each
///   event.
/// - A report is a log line with the loop, the channel, the handler and the stack, and an event of
///   the flight recorder. An event that still runs is reported again when its time has doubled.
/// - All short tasks of one turn count as one step. The reports of a loop that is only busy have
///   different stacks.
final class Watchdog {

  private static final System.Logger LOG = System.getLogger(Watchdog.class.getName());

  private final List<Watched> loops;
  private final long limit;

  /// One loop and its state at the last check.
  static final class Watched {
    final EventLoop loop;
    private int steps;
    private long since;
    private long reportAt;

    Watched(EventLoop loop) {
      this.loop = loop;
    }

    /// Checks the loop.
    ///
    /// @return the duration of the current step in nanoseconds if it is to be reported, otherwise 0
    long check(long now, long limit) {
      LoopProgress progress = loop.progress();
      int seen = progress.steps();
      if (progress.isWaiting() || seen != steps || reportAt == 0) {
        steps = seen;
        since = now;
        reportAt = limit;
        return 0;
      }
      long lasted = now - since;
      if (lasted < reportAt) {
        return 0;
      }
      reportAt = 2 * lasted;
      return lasted;
    }
  }

  private Watchdog(List<EventLoop> loops, Duration limit) {
    this.loops = loops.stream().map(Watched::new).toList();
    this.limit = limit.toNanos();
  }

  /// Watches loops until all have ended.
  static void start(String name, List<EventLoop> loops, Duration limit) {
    Watchdog watchdog = new Watchdog(loops, limit);
    Thread thread = new Thread(null, watchdog::run, name, 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!loops.stream().allMatch(watched -> watched.loop.ended().isDone())) {
      for (Watched watched : loops) {
        long lasted = watched.check(System.nanoTime(), limit);
        if (lasted > 0) {
          report(watched.loop, lasted);
        }
      }
      LockSupport.parkNanos(limit / 2);
    }
  }

  private void report(EventLoop loop, long lasted) {
    @Nullable Channel channel = loop.progress().channel();
    StackTraceElement[] stack = loop.stack();
    String handler = handler(stack);
    try {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} is occupied for {1} ms by {2}{3}; its other channels wait. LoopSettings.stallLimit"
              + " is {4}.{5}",
          loop.name(),
          lasted / 1_000_000,
          handler,
          channel == null ? "" : " of " + channel,
          Duration.ofNanos(limit),
          text(stack));
      StallEvent event = new StallEvent();
      if (event.shouldCommit()) {
        event.loop = loop.name();
        event.channel = String.valueOf(channel);
        event.handler = handler;
        event.nanos = lasted;
        event.stack = text(stack);
        event.commit();
      }
    } catch (Throwable _) {
      // a failure of the log cannot be logged
    }
  }

  /// The class that the pipeline called last: the class above its innermost frame on the stack. For
  /// a task, the class above the loop.
  static String handler(StackTraceElement[] stack) {
    for (int i = 1; i < stack.length; i++) {
      String caller = stack[i].getClassName();
      boolean dispatch =
          caller.equals(HandlerContext.class.getName())
              || caller.equals(Pipeline.class.getName())
              || caller.startsWith("dev.quickwater.common.");
      if (dispatch) {
        return stack[i - 1].getClassName();
      }
    }
    return stack.length == 0 ? "a thread that has ended" : stack[0].getClassName();
  }

  private static String text(StackTraceElement[] stack) {
    return Arrays.stream(stack).map(frame -> "\n\tat " + frame).collect(Collectors.joining());
  }
}
