package dev.quickwater.channel;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Actions that an event loop runs when no caller of a channel is on the stack: notifications that
/// must not nest, and work that a channel continues in the next turn.
///
/// A run takes the actions that are in the list at its start. Actions that are added meanwhile run
/// next time, after other channels had their turn. Loop thread only.
final class ReadyList {

  private static final System.Logger LOG = System.getLogger(ReadyList.class.getName());

  private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
  private boolean running;

  void add(Runnable action) {
    ready.add(action);
  }

  boolean isEmpty() {
    return ready.isEmpty();
  }

  /// Runs the actions in the list. Does nothing inside another run.
  ///
  /// @return the number of actions that ran
  int run() {
    if (running || ready.isEmpty()) {
      return 0;
    }
    running = true;
    int count = ready.size();
    for (int left = count; left > 0; left--) {
      @Nullable Runnable action = ready.poll();
      if (action == null) {
        break;
      }
      try {
        action.run();
      } catch (Throwable t) {
        logFailure(t);
      }
    }
    running = false;
    return count;
  }

  /// A logger's failure must not end the loop.
  private static void logFailure(Throwable failure) {
    try {
      LOG.log(System.Logger.Level.ERROR, "a notification of a channel threw", failure);
    } catch (Throwable _) {
      // a failure of the log cannot be logged
    }
  }
}
