package dev.quickwater.channel;

import dev.quickwater.channel.spi.WriteAccount;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// How a channel ended and who waits for it: the failure that broke it, its outcome, its close
/// future.
///
/// - **The first failure counts.** Whatever closes a broken channel, its outcome is the failure.
/// - **The outcome** is set before the handlers are notified, the close future succeeds after them.
///
/// [ChannelCore] extends this class, because each channel has one. Loop thread only, except for
/// [#outcome] and [#closeFuture].
abstract class ChannelEnd extends WriteAccount {

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

  /// Takes the place of a close future that was never requested: the channel has closed.
  private static final Object CLOSED = new Object();

  // Written by the loop with release order: no fence for each channel.
  private volatile @Nullable Outcome outcome;

  /// Null, the promise that was requested, or [#CLOSED].
  private volatile @Nullable Object closeFuture;

  /// The failure that breaks the channel; set before handlers are notified.
  private @Nullable Throwable failure;

  /// Handlers were notified of the failure.
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

  /// The first call counts. A handler that closes a channel that is broken does not hide the
  /// reason.
  final void setOutcome(Outcome.Kind kind, @Nullable Throwable cause) {
    if (outcome == null) {
      OUTCOME.setRelease(
          this,
          failure == null ? Outcome.of(kind, cause) : Outcome.of(Outcome.Kind.FAILED, failure));
    }
  }

  /// What the promises of unsent messages fail with.
  final Throwable reason() {
    @Nullable Outcome ended = outcome;
    @Nullable Throwable known = failure == null && ended != null ? ended.cause() : failure;
    return known == null ? new EndedException() : known;
  }

  /// What a write after the end fails with.
  final ClosedChannelException closedException() {
    ClosedChannelException closed = new ClosedChannelException();
    @Nullable Outcome ended = outcome;
    if (ended != null && ended.cause() != null) {
      closed.initCause(ended.cause());
    }
    return closed;
  }

  /// The stack of the loop says nothing about a close, and costs more than the rest of it.
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
