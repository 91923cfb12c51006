package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.AttributeKey;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.Exchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The part of an exchange that both sides share: the body that comes in, callbacks, attributes,
/// limits and the end. One object is the exchange and both of its bodies.
///
/// The body that comes in:
///
/// ```
/// IDLE --read--> ASKED --data--> IDLE
///                  '----end----> ENDED
/// (IDLE, ASKED) --end of the exchange, failure--> CLOSED
/// ```
///
/// `read` is illegal in ASKED and ENDED, and ignored in CLOSED. Loop only, except where it says
/// otherwise.
public abstract class AbstractExchange implements Exchange, IncomingBody, OutgoingBody {

  static final System.Logger LOG = System.getLogger(Exchange.class.getName());

  private enum Inbound {
    IDLE,
    ASKED,
    ENDED,
    CLOSED
  }

  private final RequestHead request;
  private Inbound inbound = Inbound.IDLE;
  private @Nullable BodyReader reader;
  private @Nullable Runnable writableAction;
  @Nullable Extras extras;
  private long received;
  private long sent;
  private boolean over;

  /// An exchange for a request.
  protected AbstractExchange(RequestHead request) {
    this.request = request;
  }

  // ---- what a version of HTTP provides ----

  /// A reader has asked for a piece. The engine delivers it later, never inside of this call.
  protected abstract void bodyWanted();

  /// True if bytes may be written now.
  protected abstract boolean canTransmit();

  /// Aborts the exchange on the wire.
  protected abstract void transmitReset(ResetCode code);

  /// Limits of exchanges that have no separate ones.
  protected abstract ExchangeLimits defaultLimits();

  /// The exchange is over; the engine continues with what is behind it.
  protected abstract void finished();

  /// True if the connection has begun to drain.
  protected boolean isDraining() {
    return false;
  }

  /// The limits were replaced.
  protected void limitsChanged() {}

  // ---- the head and the surroundings ----

  @Override
  public final RequestHead request() {
    return request;
  }

  final void requireLoop() {
    if (!loop().inLoop()) {
      throw new IllegalStateException(
          "an exchange belongs to its loop, "
              + loop().name()
              + "; it was called by "
              + Thread.currentThread().getName());
    }
  }

  @Override
  public final void execute(Runnable task) {
    loop().execute(() -> guard(task));
  }

  /// Runs a callback when no caller of the exchange is on the stack. Loop only.
  final void later(Runnable callback) {
    loop().ready(() -> guard(callback));
  }

  /// Runs a callback; what it throws fails the exchange.
  final void guard(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable t) {
      failed(t);
    }
  }

  /// Runs a task on the loop, from any thread; drops it if the loop has ended.
  final void submit(Runnable task) {
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "the loop of an exchange has ended", e);
    }
  }

  final Extras extras() {
    @Nullable Extras made = extras;
    if (made == null) {
      made = new Extras();
      extras = made;
    }
    return made;
  }

  @Override
  public final <T> @Nullable T attribute(AttributeKey<T> key) {
    @Nullable Extras made = extras;
    return made == null ? null : made.attributes.get(key);
  }

  @Override
  public final <T> void attribute(AttributeKey<T> key, T value) {
    requireLoop();
    extras().attributes.set(key, value);
  }

  @Override
  public final ExchangeLimits limits() {
    @Nullable ExchangeLimits own = extras == null ? null : extras.limits;
    return own == null ? defaultLimits() : own;
  }

  @Override
  public final void limits(ExchangeLimits limits) {
    requireLoop();
    if (!over) {
      extras().limits = limits;
      limitsChanged();
    }
  }

  @Override
  public final void onDrain(Runnable action) {
    requireLoop();
    if (over) {
      return;
    }
    if (isDraining()) {
      later(action);
    } else {
      extras().onDrain.add(action);
    }
  }

  /// The connection drains: calls the callbacks for it.
  public final void drainBegins() {
    if (extras != null && !over) {
      for (Runnable action : extras.onDrain) {
        later(action);
      }
      extras.onDrain.clear();
    }
  }

  // ---- the body that comes in ----

  @Override
  public final void read(BodyReader bodyReader) {
    requireLoop();
    switch (inbound) {
      case IDLE -> {
        inbound = Inbound.ASKED;
        reader = bodyReader;
        if (isTooLarge(0)) {
          later(this::refuseLength);
        } else {
          bodyWanted();
        }
      }
      case ASKED -> throw new IllegalStateException("a read of the body is pending");
      case ENDED -> throw new IllegalStateException("the body has ended");
      case CLOSED -> {}
    }
  }

  private boolean isTooLarge(int more) {
    long limit = limits().maxBody();
    return received + more > limit || received == 0 && announcedLength() > limit;
  }

  /// The length of the body that comes in, or -1.
  protected abstract long announcedLength();

  private void refuseLength() {
    if (inbound == Inbound.ASKED) {
      HttpException cause =
          new HttpException(
              HttpStatus.CONTENT_TOO_LARGE,
              "the body has more than the " + limits().maxBody() + " bytes that are allowed");
      failBody(cause);
      bodyRefused(cause);
    }
  }

  /// The body that comes in is longer than the limit; its reader was notified.
  void bodyRefused(HttpException cause) {}

  /// True if a reader waits for a piece.
  public final boolean wantsBody() {
    return inbound == Inbound.ASKED;
  }

  /// True if the body will not be read any more.
  public final boolean hasEndedBody() {
    return inbound == Inbound.ENDED || inbound == Inbound.CLOSED;
  }

  /// True before the first read.
  public final boolean isUnread() {
    return inbound == Inbound.IDLE && received == 0;
  }

  /// Delivers a piece; takes ownership. The engine calls it only if [#wantsBody].
  public final void deliver(ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (inbound != Inbound.ASKED || isTooLarge(length)) {
      bytes.release();
      refuseLength();
      return;
    }
    received += length;
    BodyReader asking = takeReader(Inbound.IDLE);
    try {
      asking.data(bytes);
    } catch (Throwable t) {
      failed(t);
    }
  }

  /// Delivers the end of the body. The engine calls it only if [#wantsBody].
  public final void deliverEnd(HttpHeaders trailers) {
    if (inbound != Inbound.ASKED) {
      return;
    }
    BodyReader asking = takeReader(Inbound.ENDED);
    try {
      asking.end(trailers);
    } catch (Throwable t) {
      failed(t);
    }
  }

  /// The body cannot be completed: a pending reader is notified, later ones get nothing.
  ///
  /// @return false if no reader was pending
  final boolean failBody(Exception cause) {
    if (inbound != Inbound.ASKED) {
      if (inbound == Inbound.IDLE) {
        inbound = Inbound.CLOSED;
      }
      return false;
    }
    BodyReader asking = takeReader(Inbound.CLOSED);
    try {
      asking.failed(cause);
    } catch (Throwable t) {
      failed(t);
    }
    return true;
  }

  private BodyReader takeReader(Inbound next) {
    inbound = next;
    @Nullable BodyReader asking = reader;
    reader = null;
    if (asking == null) {
      throw new IllegalStateException("no reader is pending");
    }
    return asking;
  }

  // ---- the body that goes out ----

  @Override
  public final void onWritable(Runnable action) {
    requireLoop();
    if (over || !acceptsBody()) {
      return;
    }
    if (writableAction != null) {
      throw new IllegalStateException("an earlier onWritable is pending");
    }
    writableAction = action;
    if (isWritable()) {
      later(this::becameWritable);
    }
  }

  /// True while bytes of the outgoing body may be written.
  abstract boolean acceptsBody();

  @Override
  public final boolean isWritable() {
    return acceptsBody() && canTransmit();
  }

  /// True if a callback waits for the body to be writable.
  public final boolean awaitsWritability() {
    return writableAction != null;
  }

  /// The connection accepts bytes again.
  public final void becameWritable() {
    @Nullable Runnable action = writableAction;
    if (action != null && isWritable()) {
      writableAction = null;
      try {
        action.run();
      } catch (Throwable t) {
        failed(t);
      }
    }
  }

  final void countSent(long bytes) {
    sent += bytes;
  }

  final long bytesSent() {
    return sent;
  }

  // ---- the end ----

  /// A callback threw, or an operation failed.
  abstract void failed(Throwable cause);

  /// The status of the response, or null.
  abstract @Nullable HttpStatus status();

  /// True after the end.
  public final boolean isOver() {
    return over;
  }

  /// Ends the exchange: pending readers fail, callbacks are dropped, those of the end are called.
  final void end(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    if (over) {
      return;
    }
    over = true;
    writableAction = null;
    boolean waits = inbound == Inbound.ASKED;
    if (waits || extras != null || kind != Outcome.Kind.COMPLETED) {
      Outcome outcome = new Outcome(kind, code, status(), received, sent, cause);
      Extras kept = extras();
      kept.outcome = outcome;
      kept.onDrain.clear();
      if (waits) {
        failBody(
            cause instanceof HttpException known ? known : new ExchangeEndedException(outcome));
      } else if (inbound == Inbound.IDLE) {
        inbound = Inbound.CLOSED;
      }
      if (!kept.onEnd.isEmpty()) {
        later(() -> notifyEnd(kept, outcome));
      }
    } else {
      inbound = Inbound.CLOSED;
    }
    finished();
  }

  /// Callbacks that a callback registers have a separate task.
  private void notifyEnd(Extras kept, Outcome outcome) {
    int count = kept.onEnd.size();
    for (int i = 0; i < count; i++) {
      try {
        kept.onEnd.get(i).accept(outcome);
      } catch (Throwable t) {
        LOG.log(System.Logger.Level.WARNING, "a callback for the end threw for " + request, t);
      }
    }
    kept.onEnd.subList(0, count).clear();
  }

  @Override
  public final void onEnd(Consumer<? super Outcome> action) {
    requireLoop();
    Extras kept = extras();
    kept.onEnd.add(action);
    if (over) {
      @Nullable Outcome known = kept.outcome;
      Outcome outcome =
          known != null
              ? known
              : new Outcome(
                  Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, status(), received, sent, null);
      later(() -> notifyEnd(kept, outcome));
    }
  }

  @Override
  public final void reset(ResetCode code) {
    requireLoop();
    if (!over) {
      abort(Outcome.Kind.RESET, code, null);
    }
  }

  /// Ends the exchange early and aborts it on the wire.
  final void abort(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    if (!over) {
      closeOutput();
      transmitReset(code);
      end(kind, code, cause);
    }
  }

  /// The peer, the connection or a limit ended the exchange; nothing is left to be sent.
  public final void terminated(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    if (!over) {
      closeOutput();
      end(kind, code, cause);
    }
  }

  /// The outgoing body accepts nothing any more.
  abstract void closeOutput();
}
