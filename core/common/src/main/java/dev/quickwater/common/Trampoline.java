package dev.quickwater.common;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Runs tasks on the calling thread without nesting: a task that is added while another runs
/// follows it. For threads without a loop.
final class Trampoline {

  /// The tasks that follow the one that runs on a thread; only while one runs.
  private static final ThreadLocal<@Nullable ArrayDeque<Runnable>> LATER = new ThreadLocal<>();

  private Trampoline() {}

  static void run(Runnable task) {
    @Nullable ArrayDeque<Runnable> outer = LATER.get();
    if (outer != null) {
      outer.add(task);
      return;
    }
    ArrayDeque<Runnable> later = new ArrayDeque<>();
    LATER.set(later);
    try {
      for (@Nullable Runnable next = task; next != null; next = later.poll()) {
        RunQueue.guard(next);
      }
    } finally {
      LATER.remove();
    }
  }
}
