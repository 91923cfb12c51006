package dev.quickwater.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The progress of a loop for its [Watchdog]: whether it waits, its number of steps, and the
/// channel that it handles. The loop writes without memory barriers. The watchdog may therefore
/// read values of different times, and compares two reads.
@SuppressWarnings("UnusedVariable") // the fields are read through handles
final class LoopProgress {

  private static final VarHandle STEPS;
  private static final VarHandle WAITING;
  private static final VarHandle CHANNEL;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STEPS = lookup.findVarHandle(LoopProgress.class, "steps", int.class);
      WAITING = lookup.findVarHandle(LoopProgress.class, "waiting", boolean.class);
      CHANNEL = lookup.findVarHandle(LoopProgress.class, "channel", Channel.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int steps;
  private boolean waiting = true;
  private @Nullable Channel channel;

  // ---- the loop ----

  /// The loop handles an event of a channel.
  void event(Channel of) {
    STEPS.setOpaque(this, steps + 1);
    CHANNEL.setOpaque(this, of);
  }

  /// The loop begins the tasks or the events of a turn.
  void busy() {
    STEPS.setOpaque(this, steps + 1);
    CHANNEL.setOpaque(this, null);
    WAITING.setOpaque(this, false);
  }

  /// The loop blocks until there is something to do, or has ended.
  void waiting() {
    CHANNEL.setOpaque(this, null);
    WAITING.setOpaque(this, true);
  }

  // ---- the watchdog ----

  /// The number of steps so far.
  int steps() {
    return (int) STEPS.getOpaque(this);
  }

  boolean isWaiting() {
    return (boolean) WAITING.getOpaque(this);
  }

  /// The channel whose event is being handled; null for a task or a timer.
  @Nullable Channel channel() {
    return (Channel) CHANNEL.getOpaque(this);
  }
}
