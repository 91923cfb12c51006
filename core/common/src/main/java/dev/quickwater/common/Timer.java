package dev.quickwater.common;

/// A task that runs at a time, and the handle that cancels it.
public sealed interface Timer permits HeapTimer, WheelTimer {

  /// Cancels the task unless it has run or is running; a periodic task ends. Any thread. The timer
  /// leaves its queue at once; a timer of an executor that is cancelled on another thread leaves it
  /// in the loop's next turn.
  ///
  /// @return true if this call has prevented the task from running (again)
  boolean cancel();

  /// False once the task has run for the last time, has thrown or was cancelled.
  boolean isPending();
}
