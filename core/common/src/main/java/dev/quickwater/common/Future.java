package dev.quickwater.common;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The result of something that ends later: a value or a failure, exactly once.
///
/// - **Listeners** run on the future's executor, in the order in which they were added, never
///   nested. A listener that is added after the end runs, too. After the executor has ended,
///   listeners run on the thread that completes the future or adds them.
/// - **Derived futures** ([#map], [#flatMap], [#recover]) end on the same executor. Cancelling one
///   does not cancel its source, which may have other consumers; the function is then not called. A
///   function that throws fails the derived future, and so does a function of [#flatMap] that
///   returns null.
///
/// All methods are safe on any thread. [EventExecutor#all], [EventExecutor#any] and
/// [EventExecutor#adopt] make one future of many, or of a stage.
public sealed interface Future<T> permits Promise {

  /// The executor that runs the listeners.
  EventExecutor executor();

  /// True once the future has a value or a failure.
  boolean isDone();

  /// True once the future has a value.
  boolean isSuccess();

  /// True once the future has failed with a [java.util.concurrent.CancellationException]: by
  /// [#cancel], or because its source was cancelled.
  boolean isCancelled();

  /// The failure, or null if the future is not done or has succeeded.
  @Nullable Throwable cause();

  /// The value.
  ///
  /// @throws IllegalStateException if the future is not done or has failed
  T value();

  /// Ends a pending future with a [java.util.concurrent.CancellationException], unless its producer
  /// has [claimed][Promise#claim] it because the work can no longer be revoked. A task that was
  /// submitted or scheduled then does not run; a message that was written and not yet flushed is
  /// not sent.
  ///
  /// @return true if this call has ended the future
  boolean cancel();

  /// Calls `listener` with this future once it is done.
  Future<T> onComplete(Consumer<? super Future<T>> listener);

  /// The result of `function` for the value; a failure passes through.
  <R> Future<R> map(Function<? super T, ? extends R> function);

  /// The result of the future that `function` returns for the value; a failure passes through.
  /// Cancelling the derived future does not cancel the inner one.
  <R> Future<R> flatMap(Function<? super T, ? extends Future<? extends R>> function);

  /// The value, or the result of `function` for the failure.
  Future<T> recover(Function<? super Throwable, ? extends T> function);

  /// Parks the calling thread, virtual or platform, until the end and returns the value.
  ///
  /// On a thread that hosts a [SteppedExecutor], inside or outside a task of it, the call waits for
  /// a future of an executor that the thread does not drive; the hosted executor does nothing
  /// meanwhile. If the future can only end by a task of the hosted executor, or by an executor that
  /// has no driver yet and would get this thread, the call waits for ever. This cannot be detected
  /// here.
  ///
  /// @throws ExecutionException with the failure as its cause
  /// @throws IllegalStateException if the future is not done and the caller is a [LoopThread] or
  ///   drives this future's executor: waiting would stop everything that the loop serves, and might
  ///   never end
  T await() throws InterruptedException, ExecutionException;

  /// Like [#await()], for at most `limit`.
  ///
  /// @throws TimeoutException if the future is not done by then; it stays pending
  T await(Duration limit) throws InterruptedException, ExecutionException, TimeoutException;

  /// The same result as a stage of `java.util.concurrent`; its dependents run on this future's
  /// executor. Completing or cancelling the stage does not reach this future.
  CompletionStage<T> toCompletionStage();
}
