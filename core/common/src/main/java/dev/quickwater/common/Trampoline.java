package dev.quickwater.common;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Runs tasks on the calling thread without nesting: one that is given while another runs comes
/// after it. For threads that have no loop to do so.
final class Trampoline {

  /// What the task that runs on a thread has left to run after it; only while there is one.
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
