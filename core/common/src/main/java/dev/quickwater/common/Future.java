package dev.quickwater.common;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The result of something that ends later: a value or a failure, exactly once.
///
/// Listeners run on the future's executor, in the order in which they were added, never one inside
/// another. A listener added after the end runs too. All methods are safe on any thread.
public sealed interface Future<T> permits Promise {

  /// True once there is a value or a failure.
  boolean isDone();

  /// True once there is a value.
  boolean isSuccess();

  /// The failure, or null while not done or when it succeeded.
  @Nullable Throwable cause();

  /// The value.
  ///
  /// @throws IllegalStateException if there is none, because the future is not done or has failed
  T value();

  /// Calls `listener` with this future once it is done.
  Future<T> onComplete(Consumer<? super Future<T>> listener);

  /// Parks the calling thread, virtual or platform, until the end and returns the value.
  ///
  /// @throws ExecutionException with the failure as its cause
  /// @throws IllegalStateException on the future's own loop, which would wait for itself
  T await() throws InterruptedException, ExecutionException;

  /// Like [#await()], for at most `limit`.
  ///
  /// @throws TimeoutException if the future is not done by then; it goes on
  T await(Duration limit) throws InterruptedException, ExecutionException, TimeoutException;

  /// The same result as a stage of `java.util.concurrent`; its dependents run on this future's
  /// executor.
  CompletionStage<T> toCompletionStage();
}
