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
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The part of an exchange that both sides share: the incoming body, callbacks, attributes, limits
/// and the end. One object is the exchange and both bodies.
///
/// The incoming body:
///
/// ```
/// IDLE --read--> REQUESTED --data--> IDLE
///                  '----end----> ENDED
/// (IDLE, REQUESTED) --end of the exchange, failure--> CLOSED
/// ```
///
/// `read` is illegal in REQUESTED and ENDED, and ignored in CLOSED. Loop only, unless a method's
/// doc states otherwise.
public abstract class AbstractExchange implements Exchange, IncomingBody, OutgoingBody {

  static final System.Logger LOG = System.getLogger(Exchange.class.getName());

  private enum Inbound {
    IDLE,
    REQUESTED,
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

  /// A reader has requested a piece. The engine delivers it later, never inside of this call.
  protected abstract void bodyWanted();

  /// True if bytes may be written now.
  protected abstract boolean canTransmit();

  /// Aborts the exchange on the wire.
  protected abstract void transmitReset(ResetCode code);

  /// The limits of exchanges that set none.
  protected abstract ExchangeLimits defaultLimits();

  /// The exchange is over. The engine continues with the next message.
  protected abstract void finished();

  /// True if the connection has begun to drain.
  protected boolean isDraining() {
    return false;
  }

  /// The limits were replaced.
  protected void limitsChanged() {}

  /// A callback waits until bytes may be written. The engine then calls [#becameWritable].
  protected void writabilityAwaited() {}

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

  /// Runs a callback in a separate task, when no code that called the exchange is on the stack.
  /// Loop only.
  final void later(Runnable callback) {
    loop().ready(() -> guard(callback));
  }

  /// Runs a callback. An exception fails the exchange.
  public final void guard(Runnable callback) {
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
    return made == null ? null : made.get(key);
  }

  @Override
  public final <T> void attribute(AttributeKey<T> key, T value) {
    requireLoop();
    extras().set(key, value);
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
      Extras kept = extras();
      kept.onDrain = Extras.with(kept.onDrain, action);
    }
  }

  /// The connection drains: runs the callbacks for the drain.
  public final void drainBegins() {
    if (extras != null && !over) {
      for (Runnable action : extras.onDrain) {
        later(action);
      }
      extras.onDrain = List.of();
    }
  }

  // ---- the body that comes in ----

  @Override
  public final void read(BodyReader bodyReader) {
    requireLoop();
    switch (inbound) {
      case IDLE -> {
        inbound = Inbound.REQUESTED;
        reader = bodyReader;
        if (isTooLarge(0)) {
          later(this::refuseLength);
        } else {
          bodyWanted();
        }
      }
      case REQUESTED -> throw new IllegalStateException("a read of the body is pending");
      case ENDED -> throw new IllegalStateException("the body has ended");
      case CLOSED -> {}
    }
  }

  private boolean isTooLarge(int more) {
    long limit = limits().maxBody();
    return received + more > limit || received == 0 && announcedLength() > limit;
  }

  /// The announced length of the incoming body, or -1.
  protected abstract long announcedLength();

  private void refuseLength() {
    if (inbound == Inbound.REQUESTED) {
      HttpException cause =
          new HttpException(
              HttpStatus.CONTENT_TOO_LARGE,
              "the body has more than the " + limits().maxBody() + " bytes that are allowed");
      bodyRefused(cause);
      failBody(cause);
    }
  }

  /// The incoming body is longer than the limit. The caller then notifies the reader, unless this
  /// method has ended the exchange.
  void bodyRefused(HttpException cause) {}

  /// True if a reader waits for a piece.
  public final boolean wantsBody() {
    return inbound == Inbound.REQUESTED;
  }

  /// True if no further piece of the body will be read.
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
    if (inbound != Inbound.REQUESTED || isTooLarge(length)) {
      bytes.release();
      refuseLength();
      return;
    }
    received += length;
    BodyReader waiting = takeReader(Inbound.IDLE);
    try {
      waiting.data(bytes);
    } catch (Throwable t) {
      failed(t);
    }
  }

  /// Delivers the end of the body. The engine calls it only if [#wantsBody].
  public final void deliverEnd(HttpHeaders trailers) {
    if (inbound != Inbound.REQUESTED) {
      return;
    }
    BodyReader waiting = takeReader(Inbound.ENDED);
    try {
      waiting.end(trailers);
    } catch (Throwable t) {
      failed(t);
    }
  }

  /// The body cannot be completed. A pending reader is notified; later readers are not called.
  ///
  /// @return false if no reader was pending
  final boolean failBody(Exception cause) {
    if (inbound != Inbound.REQUESTED) {
      if (inbound == Inbound.IDLE) {
        inbound = Inbound.CLOSED;
      }
      return false;
    }
    BodyReader waiting = takeReader(Inbound.CLOSED);
    try {
      waiting.failed(cause);
    } catch (Throwable t) {
      failed(t);
    }
    return true;
  }

  private BodyReader takeReader(Inbound next) {
    inbound = next;
    @Nullable BodyReader waiting = reader;
    reader = null;
    if (waiting == null) {
      throw new IllegalStateException("no reader is pending");
    }
    return waiting;
  }

  // ---- the body that goes out ----

  @Override
  public final void onWritable(Runnable action) {
    requireLoop();
    if (over || !acceptsBody()) {
      return;
    }
    @Nullable OutgoingBody first = transformedBody();
    if (first == null) {
      onOutputWritable(action);
    } else {
      first.onWritable(action);
    }
  }

  /// As [#onWritable], for the end of the chain of transformations.
  final void onOutputWritable(Runnable action) {
    if (over || !acceptsBody()) {
      return;
    }
    if (writableAction != null) {
      throw new IllegalStateException("an earlier onWritable is pending");
    }
    writableAction = action;
    if (isOutputWritable()) {
      later(this::becameWritable);
    } else {
      writabilityAwaited();
    }
  }

  /// True while bytes of the outgoing body may be written.
  abstract boolean acceptsBody();

  /// The first transformation of the outgoing body. Bytes that it holds count: it decides whether
  /// the body is writable.
  private @Nullable OutgoingBody transformedBody() {
    return extras == null ? null : extras.transformed;
  }

  @Override
  public final boolean isWritable() {
    @Nullable OutgoingBody first = transformedBody();
    return first == null ? isOutputWritable() : acceptsBody() && first.isWritable();
  }

  /// True if the connection accepts bytes of the outgoing body, at the end of the chain of
  /// transformations.
  public final boolean isOutputWritable() {
    return acceptsBody() && canTransmit();
  }

  /// True if a callback waits for the body to be writable.
  public final boolean awaitsWritability() {
    return writableAction != null;
  }

  /// The connection accepts bytes again.
  public final void becameWritable() {
    @Nullable Runnable action = writableAction;
    if (action != null && isOutputWritable()) {
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

  /// Bytes of the outgoing body so far.
  public final long bytesSent() {
    return sent;
  }

  /// Bytes of the incoming body so far.
  public final long bytesReceived() {
    return received;
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

  /// True after an end with a complete response.
  public final boolean isCompleted() {
    @Nullable Outcome outcome = extras == null ? null : extras.outcome;
    return over && (outcome == null || outcome.isCompleted());
  }

  /// Ends the exchange. Pending readers fail, pending callbacks are dropped, and the callbacks for
  /// the end are called.
  final void end(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    if (over) {
      return;
    }
    over = true;
    writableAction = null;
    boolean waits = inbound == Inbound.REQUESTED;
    if (extras != null) {
      extras.onDrain = List.of();
    }
    boolean isAwaited = extras != null && !extras.onEnd.isEmpty();
    if (waits || isAwaited || kind != Outcome.Kind.COMPLETED) {
      Outcome outcome = new Outcome(kind, code, status(), received, sent, cause);
      Extras kept = extras();
      kept.outcome = outcome;
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

  /// Callbacks that a callback registers run in a separate task.
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
    kept.onEnd = Extras.with(kept.onEnd, action);
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

  /// The peer, the connection or a limit has ended the exchange. Nothing more is sent.
  public final void terminated(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    if (!over) {
      closeOutput();
      end(kind, code, cause);
    }
  }

  /// Closes the outgoing body: it accepts no further bytes.
  abstract void closeOutput();
}
