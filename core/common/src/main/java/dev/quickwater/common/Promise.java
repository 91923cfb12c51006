package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The side of a [Future] that its producer holds.
///
/// - **State** is one word. Pending: null or the stack of listeners. Done: the value itself, a
///   substitute for null, or a [Failure]; while listeners wait for their notification, a
///   [Completion] with both. A listener that is added between the end and its notification
///   therefore queues behind earlier ones.
/// - Completing twice is an error ([#success], [#failure]) or ignored ([#trySuccess],
///   [#tryFailure]).
/// - **A claim** is a [Claim] on the stack among the listeners: it costs no field.
public final class Promise<T> implements Future<T> {

  /// Substitutes the value null, because null as a state means pending.
  private static final Object NULL = new Object();

  /// The claim of a promise without listeners. It is at the bottom of a stack, so its `next` stays
  /// null.
  private static final Listener<?> CLAIMED = new Claim<>();

  private static final VarHandle STATE;
  private static final VarHandle WAITER;
  private static final VarHandle PENDING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Promise.class, "state", Object.class);
      WAITER = lookup.findVarHandle(Promise.class, "waiter", CountDownLatch.class);
      PENDING = lookup.findVarHandle(Completion.class, "pending", Listener.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final EventExecutor executor;

  private volatile @Nullable Object state;

  /// The latch of all threads in [#await]; made by the first.
  private volatile @Nullable CountDownLatch waiter;

  /// A pending promise whose listeners run on `executor`.
  public Promise(EventExecutor executor) {
    this.executor = executor;
  }

  @Override
  public EventExecutor executor() {
    return executor;
  }

  // ---- for the producer ----

  /// Completes with a value (`null` for `Promise<Void>`).
  ///
  /// @return false if it had ended before; nothing changes then
  public boolean trySuccess(@Nullable T value) {
    return complete(value == null ? NULL : value);
  }

  /// Ends with a failure.
  ///
  /// @return false if it had ended before; nothing changes then
  public boolean tryFailure(Throwable cause) {
    return complete(new Failure(Objects.requireNonNull(cause, "cause")));
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

  /// Marks the work as begun: from now on [#cancel] does nothing. Any number of times.
  ///
  /// @return false if the promise has ended, for example by cancellation, and the work is not
  ///   needed
  public boolean claim() {
    @Nullable Object current;
    Listener<?> claimed;
    do {
      current = state;
      if (isSettled(current)) {
        return false;
      }
      if (isClaimed(current)) {
        return true;
      }
      claimed = current == null ? CLAIMED : claimAbove((Listener<?>) current);
    } while (!STATE.compareAndSet(this, current, claimed));
    return true;
  }

  private static <T> Listener<T> claimAbove(Listener<T> stack) {
    Listener<T> claim = new Claim<>();
    claim.next = stack;
    return claim;
  }

  private static boolean isClaimed(@Nullable Object pending) {
    for (@Nullable Listener<?> l = (Listener<?>) pending; l != null; l = l.next) {
      if (l instanceof Claim) {
        return true;
      }
    }
    return false;
  }

  /// A claim changes the head of the stack, so the exchange succeeds only for a stack without a
  /// claim.
  @Override
  public boolean cancel() {
    @Nullable Object current = state;
    while (!isSettled(current) && !isClaimed(current)) {
      if (tryComplete(current, new Failure(new Cancelled()))) {
        return true;
      }
      current = state;
    }
    return false;
  }

  private boolean complete(Object result) {
    while (true) {
      @Nullable Object current = state;
      if (isSettled(current)) {
        return false;
      }
      if (tryComplete(current, result)) {
        return true;
      }
    }
  }

  /// Completes a promise whose pending state is `current`. Returns false if the state has changed.
  ///
  /// On the loop the listeners need no [Completion]: `dispatch` runs them before anything that is
  /// added later, on the loop or on other threads.
  @SuppressWarnings("unchecked")
  private boolean tryComplete(@Nullable Object current, Object result) {
    @Nullable Listener<T> listeners = current == CLAIMED ? null : (Listener<T>) current;
    if (listeners == null || executor.inLoop()) {
      if (!STATE.compareAndSet(this, current, result)) {
        return false;
      }
      releaseWaiters();
      if (listeners != null) {
        executor.dispatch(listeners);
      }
    } else {
      Completion<T> completion = new Completion<>(result, listeners);
      if (!STATE.compareAndSet(this, current, completion)) {
        return false;
      }
      releaseWaiters();
      executor.dispatch(completion);
    }
    return true;
  }

  private void releaseWaiters() {
    @Nullable CountDownLatch waiting = waiter;
    if (waiting != null) {
      waiting.countDown();
    }
  }

  // ---- result ----

  private static boolean isSettled(@Nullable Object state) {
    return state != null && !(state instanceof Listener);
  }

  /// The value, [#NULL] or a [Failure]; for a settled state.
  private static @Nullable Object result(@Nullable Object state) {
    return state instanceof Completion<?> completion ? completion.result : state;
  }

  @Override
  public boolean isDone() {
    return isSettled(state);
  }

  @Override
  public boolean isSuccess() {
    @Nullable Object current = state;
    return isSettled(current) && !(result(current) instanceof Failure);
  }

  @Override
  public boolean isCancelled() {
    return cause() instanceof CancellationException;
  }

  @Override
  public @Nullable Throwable cause() {
    return result(state) instanceof Failure(Throwable cause) ? cause : null;
  }

  @Override
  public T value() {
    @Nullable Object current = state;
    if (!isSettled(current)) {
      throw new IllegalStateException("the future is not done");
    }
    @Nullable Object result = result(current);
    if (result instanceof Failure(Throwable cause)) {
      throw new IllegalStateException("the future has failed", cause);
    }
    return valueOf(result);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // null is the only value of Promise<Void>
  private T valueOf(@Nullable Object result) {
    return result == NULL ? null : (T) result;
  }

  // ---- listeners ----

  @Override
  public Future<T> onComplete(Consumer<? super Future<T>> action) {
    Objects.requireNonNull(action, "action");
    return listen(new Action<>(action));
  }

  /// Adds `listener`, which is on no stack.
  @SuppressWarnings("unchecked")
  Future<T> listen(Listener<T> listener) {
    listener.promise = this;
    while (true) {
      @Nullable Object current = state;
      if (isSettled(current)) {
        if (!(current instanceof Completion<?> completion)
            || !queue((Completion<T>) completion, listener)) {
          listener.next = null;
          executor.dispatch(listener);
        }
        return this;
      }
      listener.next = (Listener<T>) current;
      if (STATE.compareAndSet(this, current, listener)) {
        return this;
      }
    }
  }

  /// False if the listeners have been taken: there is no stack to join.
  private boolean queue(Completion<T> completion, Listener<T> listener) {
    @Nullable Listener<T> first;
    while ((first = completion.pending) != null) {
      listener.next = first;
      if (PENDING.compareAndSet(completion, first, listener)) {
        return true;
      }
    }
    return false;
  }

  // ---- derived futures ----

  @Override
  public <R> Future<R> map(Function<? super T, ? extends R> function) {
    return Derived.map(this, function);
  }

  @Override
  public <R> Future<R> flatMap(Function<? super T, ? extends Future<? extends R>> function) {
    return Derived.flatMap(this, function);
  }

  @Override
  public Future<T> recover(Function<? super Throwable, ? extends T> function) {
    return Derived.recover(this, function);
  }

  @Override
  public CompletionStage<T> toCompletionStage() {
    CompletableFuture<T> stage = new CompletableFuture<>();
    onComplete(future -> {
      @Nullable Throwable cause = future.cause();
      if (cause == null) {
        stage.complete(future.value());
      } else {
        stage.completeExceptionally(cause);
      }
    });
    return stage;
  }

  // ---- waiting ----

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

  /// The completing thread writes the state and then reads the waiter; this thread writes the
  /// waiter and then reads the state. One of the two sees the other.
  private CountDownLatch waiter() {
    if (executor.inLoop() || Thread.currentThread() instanceof LoopThread) {
      throw new IllegalStateException(
          "await() on the event loop "
              + Thread.currentThread().getName()
              + " would stop it; add a listener, or wait on a virtual thread");
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
  public String toString() {
    @Nullable Object current = state;
    if (!isSettled(current)) {
      return "Future[pending]";
    }
    return result(current) instanceof Failure(Throwable cause)
        ? "Future[failed: " + cause + "]"
        : "Future[succeeded]";
  }

  private record Failure(Throwable cause) {}

  /// Without a stack trace: it would only show the call of `cancel`.
  private static final class Cancelled extends CancellationException {

    private static final long serialVersionUID = 1;

    Cancelled() {
      super("the future was cancelled");
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  /// A listener of one promise: an element of its stack and, as a task, this element and all below,
  /// the oldest first.
  abstract static class Listener<T> implements Runnable {
    private @Nullable Promise<T> promise;
    private @Nullable Listener<T> next;

    /// Called once, on the promise's executor. Its exception is logged.
    abstract void deliver(Promise<T> done);

    @Override
    public final void run() {
      for (@Nullable Listener<T> l = next == null ? this : turned(); l != null; l = l.next) {
        if (l.promise != null) {
          deliver(l, l.promise);
        }
      }
    }

    private static <T> void deliver(Listener<T> listener, Promise<T> done) {
      try {
        listener.deliver(done);
      } catch (Throwable t) {
        RunQueue.logFailure("a listener of a future threw", t);
      }
    }

    /// Reverses the stack and returns its oldest listener. Claims are left out, because [#CLAIMED]
    /// is shared by all promises and must not be modified.
    private @Nullable Listener<T> turned() {
      @Nullable Listener<T> newest = this;
      @Nullable Listener<T> oldest = null;
      while (newest != null) {
        Listener<T> listener = newest;
        newest = listener.next;
        if (!(listener instanceof Claim)) {
          listener.next = oldest;
          oldest = listener;
        }
      }
      return oldest;
    }
  }

  private static final class Action<T> extends Listener<T> {
    private final Consumer<? super Future<T>> action;

    Action(Consumer<? super Future<T>> action) {
      this.action = action;
    }

    @Override
    void deliver(Promise<T> done) {
      action.accept(done);
    }
  }

  private static final class Claim<T> extends Listener<T> {
    @Override
    void deliver(Promise<T> done) {
      throw new AssertionError("a claim is no listener");
    }
  }

  /// The end of a promise that has listeners. `pending` has those that are not yet notified, the
  /// newest first.
  private static final class Completion<T> implements Runnable {
    final Object result;
    private volatile @Nullable Listener<T> pending;

    Completion(Object result, Listener<T> pending) {
      this.result = result;
      PENDING.set(this, pending);
    }

    @Override
    public void run() {
      @Nullable Listener<?> listeners = (Listener<?>) PENDING.getAndSet(this, null);
      if (listeners != null) {
        listeners.run();
      }
    }
  }
}
