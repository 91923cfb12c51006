package dev.quickwater.channel;

import dev.quickwater.channel.account.ChannelAccount;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// The end of a channel: the failure that broke it, its outcome, and its close future.
///
/// - **The first failure counts.** It is the outcome, even if a handler closes the broken channel.
/// - **The outcome** is set before the handlers are notified. The close future succeeds after them.
///
/// [ChannelCore] extends this class, because each channel has one. Loop thread only, except for
/// [#outcome] and [#closeFuture].
abstract class ChannelEnd extends ChannelAccount {

  private static final VarHandle OUTCOME;
  private static final VarHandle CLOSE_FUTURE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OUTCOME = lookup.findVarHandle(ChannelEnd.class, "outcome", Outcome.class);
      CLOSE_FUTURE = lookup.findVarHandle(ChannelEnd.class, "closeFuture", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Stored in place of the promise if the channel closes before its close future is requested.
  private static final Object CLOSED = new Object();

  // Written by the loop with release order, which needs no fence.
  private volatile @Nullable Outcome outcome;

  /// Null, the promise that was requested, or [#CLOSED].
  private volatile @Nullable Object closeFuture;

  /// The failure that breaks the channel; set before handlers are notified.
  private @Nullable Throwable failure;

  /// True once the handlers were notified of the failure.
  private boolean failureReported;

  abstract EventLoop loop();

  // ---- the failure ----

  /// True once the channel has failed, before and after it is closed.
  final boolean isBroken() {
    return failure != null;
  }

  final @Nullable Throwable failure() {
    return failure;
  }

  /// Breaks the channel, unless it is broken.
  ///
  /// @return true if this is its failure
  final boolean breakWith(Throwable cause) {
    if (failure != null) {
      return false;
    }
    failure = cause;
    return true;
  }

  final void markFailureReported() {
    failureReported = true;
  }

  final boolean isFailureReported() {
    return failureReported;
  }

  // ---- the outcome ----

  /// Any thread.
  final @Nullable Outcome outcome() {
    return outcome;
  }

  /// Sets the outcome; later calls have no effect. The outcome of a broken channel is its failure.
  final void setOutcome(Outcome.Kind kind, @Nullable Throwable cause) {
    if (outcome == null) {
      OUTCOME.setRelease(
          this,
          failure == null ? Outcome.of(kind, cause) : Outcome.of(Outcome.Kind.FAILED, failure));
    }
  }

  /// The failure of the promises of unsent messages.
  final Throwable reason() {
    @Nullable Outcome ended = outcome;
    @Nullable Throwable known = failure == null && ended != null ? ended.cause() : failure;
    return known == null ? new EndedException() : known;
  }

  /// The failure of a write after the end.
  final ClosedChannelException closedException() {
    ClosedChannelException closed = new ClosedChannelException();
    @Nullable Outcome ended = outcome;
    if (ended != null && ended.cause() != null) {
      closed.initCause(ended.cause());
    }
    return closed;
  }

  /// A [ClosedChannelException] without a stack trace: the loop's stack does not show the cause,
  /// and recording it costs more than the rest of closing.
  private static final class EndedException extends ClosedChannelException {

    private static final long serialVersionUID = 1;

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  // ---- the close future ----

  /// Any thread.
  @SuppressWarnings("unchecked")
  final Future<Void> closeFuture() {
    @Nullable Object current = closeFuture;
    if (current instanceof Promise<?>) {
      return (Promise<Void>) current;
    }
    Promise<Void> promise = loop().newPromise();
    promise.claim(); // it has many consumers, and is no work that one of them could cancel
    if (current == CLOSED) {
      promise.trySuccess(null);
    }
    return CLOSE_FUTURE.compareAndSet(this, current, promise) ? promise : closeFuture();
  }

  final void endCloseFuture() {
    @Nullable Object requested = CLOSE_FUTURE.compareAndExchange(this, null, CLOSED);
    if (requested instanceof Promise<?> promise) {
      promise.trySuccess(null);
    }
  }
}
