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

  /// Called instead of [#run], normally on the executor's thread and outside other tasks. There are
  /// three exceptions. `schedule` calls this method directly if it is called on the executor's
  /// thread and the executor no longer accepts timers. [EventExecutor#executeOrAbandon] calls it on
  /// the calling thread if the executor accepts no tasks. [HashedWheelTimer#close] calls it on the
  /// calling thread.
  ///
  /// Queued tasks are abandoned after the state has become [ENDED][ExecutorState#ENDED]. In this
  /// method, `execute` on the same executor therefore throws, and `dispatch` runs its task at once.
  /// An exception of this method is logged; the other tasks are abandoned nevertheless.
  ///
  /// @param cause a [java.util.concurrent.RejectedExecutionException] that names the executor, or
  ///   for a timer a [java.util.concurrent.CancellationException]
  void abandoned(Throwable cause);
}
