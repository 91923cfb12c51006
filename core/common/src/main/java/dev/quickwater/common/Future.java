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
/// - **Listeners** run on the future's executor, in the order in which they were added, never one
///   inside another. A listener added after the end runs too. Once the executor has ended they run
///   on the thread that completes the future, or adds them, instead.
/// - **Derived futures** ([#map], [#flatMap], [#recover]) end on the same executor. Cancelling one
///   does not reach its source, which may have other consumers; it keeps the function from being
///   called. A function that throws fails the derived future, and so does one of [#flatMap] that
///   returns null.
///
/// All methods are safe on any thread. [EventExecutor#all], [EventExecutor#any] and
/// [EventExecutor#adopt] make one future of many, or of a stage.
public sealed interface Future<T> permits Promise {

  /// The executor that runs the listeners.
  EventExecutor executor();

  /// True once there is a value or a failure.
  boolean isDone();

  /// True once there is a value.
  boolean isSuccess();

  /// True once it has failed with a [java.util.concurrent.CancellationException]: by [#cancel], or
  /// because what it came from was cancelled.
  boolean isCancelled();

  /// The failure, or null while not done or when it succeeded.
  @Nullable Throwable cause();

  /// The value.
  ///
  /// @throws IllegalStateException if there is none, because the future is not done or has failed
  T value();

  /// Ends a pending future with a [java.util.concurrent.CancellationException], unless its producer
  /// has [claimed][Promise#claim] it because the work can no longer be called off. A task that was
  /// submitted or scheduled does not run then; a message that was written and not yet flushed is
  /// not sent.
  ///
  /// @return true if this call is what ended it
  boolean cancel();

  /// Calls `listener` with this future once it is done.
  Future<T> onComplete(Consumer<? super Future<T>> listener);

  /// The value as `function` turns it into another one; a failure passes through.
  <R> Future<R> map(Function<? super T, ? extends R> function);

  /// What the future that `function` makes of the value ends with; a failure passes through. When
  /// the derived future is cancelled the inner one goes on.
  <R> Future<R> flatMap(Function<? super T, ? extends Future<? extends R>> function);

  /// The value, or what `function` makes of the failure.
  Future<T> recover(Function<? super Throwable, ? extends T> function);

  /// Parks the calling thread, virtual or platform, until the end and returns the value.
  ///
  /// On a thread that hosts a [SteppedExecutor], inside a task of it or not, it waits for a future
  /// of any executor that the thread does not drive, and the hosted executor does nothing
  /// meanwhile. If the future ends only by a task of that one, or its own executor has no driver
  /// yet and was to have this thread, the wait is for ever: nothing here can tell.
  ///
  /// @throws ExecutionException with the failure as its cause
  /// @throws IllegalStateException when it is not done and the caller is any [LoopThread], or the
  ///   thread that drives this future's executor: that would stop everything the loop serves, and
  ///   may wait for itself
  T await() throws InterruptedException, ExecutionException;

  /// Like [#await()], for at most `limit`.
  ///
  /// @throws TimeoutException if the future is not done by then; it goes on
  T await(Duration limit) throws InterruptedException, ExecutionException, TimeoutException;

  /// The same result as a stage of `java.util.concurrent`; its dependents run on this future's
  /// executor. Completing or cancelling the stage does not reach this future.
  CompletionStage<T> toCompletionStage();
}
