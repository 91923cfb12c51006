package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The side of a [Future] that its producer holds.
///
/// - **State:** `null` or the stack of listeners while pending, then an [Outcome], which keeps the
///   stack until the loop has taken it. So a listener that comes between the end and its
///   notification queues behind those that came before.
/// - Completing twice is an error of the caller ([#success], [#failure]) or tolerated
///   ([#trySuccess], [#tryFailure]).
/// - **After its executor has ended** a promise can still be completed: who waits and stages are
///   told on the completing thread; listeners, which only that executor may run, are dropped and
///   logged.
public final class Promise<T> implements Future<T> {

  private static final System.Logger LOG = System.getLogger(Promise.class.getName());

  private static final VarHandle STATE;
  private static final VarHandle WAITER;
  private static final VarHandle UNTOLD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Promise.class, "state", Object.class);
      WAITER = lookup.findVarHandle(Promise.class, "waiter", CountDownLatch.class);
      UNTOLD = lookup.findVarHandle(Outcome.class, "untold", Listener.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EventExecutor executor;

  private volatile @Nullable Object state;

  /// What all threads in [#await] wait for; made by the first.
  private volatile @Nullable CountDownLatch waiter;

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
    return complete(new Outcome(null, Objects.requireNonNull(cause, "cause")));
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
  @SuppressWarnings("unchecked")
  public Future<T> onComplete(Consumer<? super Future<T>> action) {
    Listener<T> listener = new Listener<>(action);
    while (true) {
      @Nullable Object current = state;
      if (current instanceof Outcome outcome) {
        if (!queue(outcome, listener)) {
          executor.dispatch(() -> tell(listener));
        }
        return this;
      }
      listener.next = (Listener<T>) current;
      if (STATE.compareAndSet(this, current, listener)) {
        return this;
      }
    }
  }

  /// False when the listeners have been taken: there is nothing left to queue behind.
  @SuppressWarnings("unchecked")
  private boolean queue(Outcome outcome, Listener<T> listener) {
    @Nullable Listener<?> first;
    while ((first = outcome.untold) != null) {
      listener.next = (Listener<T>) first;
      if (UNTOLD.compareAndSet(outcome, first, listener)) {
        return true;
      }
    }
    listener.next = null;
    return false;
  }

  private boolean complete(Outcome outcome) {
    @Nullable Object current;
    do {
      current = state;
      if (current instanceof Outcome) {
        return false;
      }
      UNTOLD.set(outcome, (Listener<?>) current);
    } while (!STATE.compareAndSet(this, current, outcome));
    @Nullable CountDownLatch waiting = waiter;
    if (waiting != null) {
      waiting.countDown();
    }
    if (current != null) {
      try {
        executor.dispatch(() -> tellAll(outcome));
      } catch (RejectedExecutionException e) {
        for (@Nullable Listener<T> l = takeListeners(outcome); l != null; l = l.next) {
          drop(l);
        }
      }
    }
    return true;
  }

  private void tellAll(Outcome outcome) {
    for (@Nullable Listener<T> l = takeListeners(outcome); l != null; l = l.next) {
      tell(l);
    }
  }

  /// The listeners that were not told yet, in the order in which they came.
  @SuppressWarnings("unchecked")
  private @Nullable Listener<T> takeListeners(Outcome outcome) {
    @Nullable Listener<T> newest = (Listener<T>) UNTOLD.getAndSet(outcome, null);
    @Nullable Listener<T> oldest = null;
    while (newest != null) {
      Listener<T> listener = newest;
      newest = listener.next;
      listener.next = oldest;
      oldest = listener;
    }
    return oldest;
  }

  private void tell(Listener<T> listener) {
    try {
      listener.action.accept(this);
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.ERROR, "a listener of a future threw", t);
    }
  }

  private void drop(Listener<T> listener) {
    if (listener.action instanceof Bridge) {
      tell(listener);
    } else {
      LOG.log(
          System.Logger.Level.WARNING,
          "a listener was dropped because its executor has ended: " + listener.action);
    }
  }

  @Override
  public T await() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      waiter().await();
    }
    return outcome();
  }

  @Override
  public T await(Duration limit) throws InterruptedException, ExecutionException, TimeoutException {
    if (!isDone() && !waiter().await(nanos(limit), TimeUnit.NANOSECONDS)) {
      throw new TimeoutException("not done after " + limit);
    }
    return outcome();
  }

  private static long nanos(Duration limit) {
    return TimeUnit.NANOSECONDS.convert(limit); // saturates
  }

  private T outcome() throws ExecutionException {
    @Nullable Throwable cause = cause();
    if (cause != null) {
      throw new ExecutionException(cause);
    }
    return value();
  }

  /// The completer writes the state and then reads the waiter; this writes the waiter and then
  /// reads the state. So one of the two sees the other.
  private CountDownLatch waiter() {
    if (executor.inLoop()) {
      throw new IllegalStateException(
          "await() on the event loop that completes the future would wait for ever");
    }
    CountDownLatch made = new CountDownLatch(1);
    @Nullable CountDownLatch other = (CountDownLatch) WAITER.compareAndExchange(this, null, made);
    CountDownLatch latch = other == null ? made : other;
    if (isDone()) {
      latch.countDown();
    }
    return latch;
  }

  @Override
  public CompletionStage<T> toCompletionStage() {
    Bridge<T> bridge = new Bridge<>(new CompletableFuture<>());
    onComplete(bridge);
    return bridge.stage;
  }

  @Override
  public String toString() {
    return switch (state) {
      case Outcome outcome when outcome.cause == null -> "Future[succeeded]";
      case Outcome outcome -> "Future[failed: " + outcome.cause + "]";
      case null, default -> "Future[pending]";
    };
  }

  /// How it ended. `untold` has listeners that were not notified yet, the newest first.
  private static final class Outcome {
    final @Nullable Object value;
    final @Nullable Throwable cause;
    private volatile @Nullable Listener<?> untold;

    Outcome(@Nullable Object value, @Nullable Throwable cause) {
      this.value = value;
      this.cause = cause;
    }
  }

  private static final class Listener<T> {
    final Consumer<? super Future<T>> action;
    @Nullable Listener<T> next;

    Listener(Consumer<? super Future<T>> action) {
      this.action = action;
    }
  }

  private record Bridge<T>(CompletableFuture<T> stage) implements Consumer<Future<T>> {
    @Override
    public void accept(Future<T> future) {
      @Nullable Throwable cause = future.cause();
      if (cause == null) {
        stage.complete(future.value());
      } else {
        stage.completeExceptionally(cause);
      }
    }
  }
}
