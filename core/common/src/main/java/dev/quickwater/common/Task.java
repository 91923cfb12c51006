package dev.quickwater.common;

/// A task that is notified when its executor ends before running it.
///
/// An executor drops an ordinary [Runnable] that is still queued when the limit of a shutdown
/// passes. A task that owns a promise, a buffer or a descriptor implements this interface and
/// releases it in [#abandoned].
///
/// - **One outcome:** each time an executor accepts the task, it calls either [#run] or
///   [#abandoned], and calls it once. A `run` that throws has run. A periodic task runs any number
///   of times; a shutdown that ends the task then abandons it.
/// - **Not accepted:** a call that throws [java.util.concurrent.RejectedExecutionException] keeps
///   nothing and calls neither method. The caller still owns what the task owns;
///   [EventExecutor#executeOrAbandon] abandons the task instead.
/// - **Cancelled:** a task that [Timer#cancel] ends is neither run nor abandoned.
/// - **Dispatched:** [EventExecutor#dispatch] always runs its task.
/// - **Not driven:** a [SteppedExecutor] whose host never steps it again calls neither method.
public interface Task extends Runnable {

  /// Called instead of `run`, on the executor's thread and outside other tasks, except that
  /// `schedule` calls it directly when the executor on whose thread it is called no longer takes
  /// timers, and [EventExecutor#executeOrAbandon] when the executor takes no tasks.
  ///
  /// A task that was queued is abandoned when the executor has [ended][ExecutorState#ENDED]:
  /// `execute` throws here and `dispatch` runs its task at once. What this method throws is logged
  /// and does not keep other tasks from being abandoned.
  ///
  /// @param cause a [java.util.concurrent.RejectedExecutionException] that names the executor, or
  ///   for a timer a [java.util.concurrent.CancellationException]
  void abandoned(Throwable cause);
}
