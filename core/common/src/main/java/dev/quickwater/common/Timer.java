package dev.quickwater.common;

/// A task that runs at a time, and the handle that cancels it.
public sealed interface Timer permits HeapTimer, WheelTimer {

  /// Cancels the task unless it has run or is running. A periodic task does not run again. Any
  /// thread. The timer is removed from its queue at once, with one exception: a timer of an
  /// executor that is cancelled on another thread is removed in the next turn of the executor.
  ///
  /// @return true if this call has prevented the task from running (again)
  boolean cancel();

  /// False once the task has run for the last time, has thrown or was cancelled.
  boolean isPending();
}
