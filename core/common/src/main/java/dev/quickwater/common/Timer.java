package dev.quickwater.common;

/// A task that will run at a time, and the handle to cancel it.
public sealed interface Timer permits HeapTimer, WheelTimer {

  /// Cancels the task unless it has run or is running; a periodic task ends. Any thread. The timer
  /// leaves at once what it waits in, one of an executor that is cancelled off the loop in the
  /// loop's next turn.
  ///
  /// @return true if this call is what kept the task from running (again)
  boolean cancel();

  /// True until the task has run for the last time, has thrown or was cancelled.
  boolean isPending();
}
