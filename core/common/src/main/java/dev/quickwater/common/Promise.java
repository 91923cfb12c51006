package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The side of a [Future] that its producer holds.
///
/// One field is the whole state: the stack of listeners while pending, the outcome afterwards.
/// Completing twice is an error of the caller ([#success], [#failure]) or tolerated ([#trySuccess],
/// [#tryFailure]).
public final class Promise<T> implements Future<T> {

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Promise.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EventExecutor executor;

  /// `null` or a [Listener] while pending; an [Outcome] once done.
  private volatile @Nullable Object state;

  /// A pending promise whose listeners run on `executor`.
  public Promise(EventExecutor executor) {
    this.executor = executor;
  }

  /// Ends with a value (`null` for `Promise<Void>`).
  ///
  /// @return false if it had ended before; nothing changes then
  public boolean trySuccess(@Nullable T value) {
    return complete(new Outcome(value, null));
  }

  /// Ends with a failure.
  ///
  /// @return false if it had ended before; nothing changes then
  public boolean tryFailure(Throwable cause) {
    return complete(new Outcome(null, cause));
  }

  /// Ends with a value.
  ///
  /// @throws IllegalStateException if it had ended before
  public void success(@Nullable T value) {
    if (!trySuccess(value)) {
      throw new IllegalStateException("the promise has ended already: " + this);
    }
  }

  /// Ends with a failure.
  ///
  /// @throws IllegalStateException if it had ended before
  public void failure(Throwable cause) {
    if (!tryFailure(cause)) {
      throw new IllegalStateException("the promise has ended already: " + this, cause);
    }
  }

  @Override
  public boolean isDone() {
    return state instanceof Outcome;
  }

  @Override
  public boolean isSuccess() {
    return state instanceof Outcome outcome && outcome.cause == null;
  }

  @Override
  public @Nullable Throwable cause() {
    return state instanceof Outcome outcome ? outcome.cause : null;
  }

  @Override
  public T value() {
    if (state instanceof Outcome outcome) {
      if (outcome.cause == null) {
        return valueOf(outcome);
      }
      throw new IllegalStateException("the future has failed", outcome.cause);
    }
    throw new IllegalStateException("the future is not done");
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // null is the only value of Promise<Void>
  private T valueOf(Outcome outcome) {
    return (T) outcome.value;
  }

  @Override
  public Future<T> onComplete(Consumer<? super Future<T>> listener) {
    while (true) {
      @Nullable Object current = state;
      if (current instanceof Outcome) {
        executor.dispatch(() -> listener.accept(this));
        return this;
      }
      @SuppressWarnings("unchecked")
      Listener<T> added = new Listener<>(listener, (Listener<T>) current);
      if (STATE.compareAndSet(this, current, added)) {
        return this;
      }
    }
  }

  private boolean complete(Outcome outcome) {
    while (true) {
      @Nullable Object current = state;
      if (current instanceof Outcome) {
        return false;
      }
      if (STATE.compareAndSet(this, current, outcome)) {
        if (current != null) {
          @SuppressWarnings("unchecked")
          Listener<T> listeners = (Listener<T>) current;
          executor.dispatch(() -> notifyInOrder(listeners));
        }
        return true;
      }
    }
  }

  private void notifyInOrder(Listener<T> newestFirst) {
    @Nullable Listener<T> oldestFirst = null;
    @Nullable Listener<T> next = newestFirst;
    while (next != null) {
      Listener<T> listener = next;
      next = listener.next;
      listener.next = oldestFirst;
      oldestFirst = listener;
    }
    for (@Nullable Listener<T> l = oldestFirst; l != null; l = l.next) {
      Listener<T> listener = l;
      executor.dispatch(() -> listener.action.accept(this));
    }
  }

  @Override
  public T await() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      latch().await();
    }
    return outcome();
  }

  @Override
  public T await(Duration limit) throws InterruptedException, ExecutionException, TimeoutException {
    if (!isDone() && !latch().await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new TimeoutException("not done after " + limit);
    }
    return outcome();
  }

  private T outcome() throws ExecutionException {
    @Nullable Throwable cause = cause();
    if (cause != null) {
      throw new ExecutionException(cause);
    }
    return value();
  }

  private CountDownLatch latch() {
    if (executor.inLoop()) {
      throw new IllegalStateException(
          "await() on the event loop that completes the future would wait for ever");
    }
    CountDownLatch latch = new CountDownLatch(1);
    onComplete(_ -> latch.countDown());
    return latch;
  }

  @Override
  public CompletionStage<T> toCompletionStage() {
    CompletableFuture<T> stage = new CompletableFuture<>();
    onComplete(_ -> {
      @Nullable Throwable cause = cause();
      if (cause == null) {
        stage.complete(value());
      } else {
        stage.completeExceptionally(cause);
      }
    });
    return stage;
  }

  @Override
  public String toString() {
    return switch (state) {
      case Outcome outcome when outcome.cause == null -> "Future[succeeded]";
      case Outcome outcome -> "Future[failed: " + outcome.cause + "]";
      case null, default -> "Future[pending]";
    };
  }

  private record Outcome(@Nullable Object value, @Nullable Throwable cause) {}

  private static final class Listener<T> {
    final Consumer<? super Future<T>> action;
    @Nullable Listener<T> next;

    Listener(Consumer<? super Future<T>> action, @Nullable Listener<T> next) {
      this.action = action;
      this.next = next;
    }
  }
}
