package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.BodyWriter;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The state machine of a client's exchange, without the wire. It decides what a caller may do and
/// when; a subclass for each version of HTTP transmits.
///
/// ```
/// DEFERRED --first bytes, flush--> STREAMING --end--> ENDED
///    '-----end, no body announced-------------------> ENDED
/// (DEFERRED, STREAMING) --response refuses the body--> DROPPED
/// (any) --reset, failure, end of the exchange--> DROPPED
/// ```
///
/// Writes in ENDED and DROPPED are released. These states do not concern the response, whose head
/// is held until a callback is registered. Loop only.
public abstract class ClientSideExchange extends AbstractExchange implements ClientExchange {

  private enum Outbound {
    DEFERRED,
    STREAMING,
    ENDED,
    DROPPED
  }

  /// The part of a response that follows its head on the wire.
  public enum Following {
    /// The end of the response.
    NOTHING,
    /// A body.
    BODY,
    /// Bytes of another protocol.
    TUNNEL
  }

  private Outbound outbound = Outbound.DEFERRED;
  private @Nullable BiConsumer<HttpStatus, HttpHeaders> onInform;
  private @Nullable Consumer<? super ResponseHead> onResponse;
  private @Nullable ResponseHead response;

  // Not a Following: booleans fit into the padding after those of the superclass, a reference would
  // cost 8 bytes.
  private boolean hasBody;
  private boolean tunnel;
  private boolean headDelivered;

  /// An exchange for a request.
  protected ClientSideExchange(RequestHead request) {
    super(request);
  }

  // ---- what a version of HTTP provides ----

  /// Sends the head. A body of `length` bytes follows; -1 if the length is not known.
  protected abstract void transmitHead(long length);

  /// Sends bytes of the body; takes ownership.
  protected abstract void transmit(ByteBuf bytes);

  /// Ends the request.
  protected abstract void transmitEnd(HttpHeaders trailers);

  /// Flushes what was transmitted.
  protected abstract void transmitFlush();

  /// Replaces the engine by the handlers of `initializer`.
  protected abstract void transmitTunnel(ChannelInitializer initializer);

  /// The response makes progress without bytes from the wire: the idle timeout starts again.
  public abstract void progressed();

  // ---- called by the engine ----

  /// The exchange is open. Sends the request if its head announces no body.
  public final void begin() {
    if (request().contentLength() == 0) {
      end(HttpHeaders.EMPTY);
    }
  }

  /// The request is known to the server: another exchange carried it, or the server promised it.
  /// Nothing of it is sent on this exchange. Called instead of [#begin].
  ///
  /// @param receiver receives the exchange; an exception fails it
  public final void beginAnswer(Consumer<? super ClientExchange> receiver) {
    outbound = Outbound.ENDED;
    guard(() -> receiver.accept(this));
  }

  /// An informational response has arrived.
  public final void informed(HttpStatus status, HttpHeaders headers) {
    if (onInform != null && !isOver()) {
      try {
        onInform.accept(status, headers);
      } catch (Throwable t) {
        failed(t);
      }
    }
  }

  /// The head of the response has arrived.
  public final void responded(ResponseHead head, Following following) {
    response = head;
    hasBody = following == Following.BODY;
    tunnel = following == Following.TUNNEL;
    deliverHead();
  }

  /// The end of the response was delivered.
  public final void completed() {
    terminated(Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, null);
  }

  /// The response cannot be used: resets the exchange with `cause` in its outcome.
  public final void refuse(Exception cause) {
    abort(Outcome.Kind.RESET, ResetCode.CANCEL, cause);
  }

  /// The server will not read the rest of the request.
  public final void dropRequestBody() {
    if (acceptsBody()) {
      outbound = Outbound.DROPPED;
    }
  }

  // ---- requests ----

  @Override
  public final OutgoingBody requestBody() {
    return this;
  }

  /// Sends the body that a blocking writer makes, on a virtual thread.
  public final void stream(BodyWriter writer) {
    requireLoop();
    if (!isOver() && acceptsBody()) {
      BodyStreamer.run(this, writer);
    }
  }

  @Override
  final boolean acceptsBody() {
    return outbound == Outbound.DEFERRED || outbound == Outbound.STREAMING;
  }

  private void commit(long length) {
    if (outbound == Outbound.DEFERRED) {
      outbound = Outbound.STREAMING;
      try {
        transmitHead(length);
      } catch (Throwable t) {
        throw transmissionFailed(t);
      }
    }
  }

  @Override
  public final void write(ByteBuf bytes) {
    int size = bytes.readableBytes();
    boolean passed = false;
    try {
      requireLoop();
      requireLength(size);
      if (acceptsBody() && size > 0) {
        commit(request().contentLength());
        passed = outbound == Outbound.STREAMING;
      }
    } finally {
      if (!passed) {
        bytes.release();
      }
    }
    if (passed) {
      countSent(size);
      try {
        transmit(bytes);
      } catch (Throwable t) {
        throw transmissionFailed(t);
      }
    }
  }

  private void requireLength(int size) {
    long announced = request().contentLength();
    boolean counts = acceptsBody() || outbound == Outbound.ENDED && announced == 0;
    if (!isOver() && counts && announced >= 0 && size > announced - bytesSent()) {
      throw misused(
          size
              + " bytes were written where the announced length leaves "
              + (announced - bytesSent()));
    }
  }

  private IllegalStateException misused(String text) {
    IllegalStateException misuse = new IllegalStateException(text);
    abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, misuse);
    return misuse;
  }

  @Override
  public final void end(HttpHeaders trailers) {
    requireLoop();
    if (!acceptsBody()) {
      return;
    }
    long announced = request().contentLength();
    if (announced > bytesSent()) {
      throw misused(
          "the body ended " + (announced - bytesSent()) + " bytes short of the announced length");
    }
    boolean empty = outbound == Outbound.DEFERRED && announced < 0 && trailers.size() == 0;
    commit(empty ? 0 : announced);
    if (outbound == Outbound.STREAMING) {
      outbound = Outbound.ENDED;
      try {
        transmitEnd(trailers);
      } catch (Throwable t) {
        throw transmissionFailed(t);
      }
    }
  }

  @Override
  public final void flush() {
    requireLoop();
    if (acceptsBody()) {
      commit(request().contentLength());
      transmitFlush();
    }
  }

  // ---- responses ----

  @Override
  public final void onInform(BiConsumer<HttpStatus, HttpHeaders> action) {
    requireLoop();
    onInform = action;
  }

  @Override
  public final void onResponse(Consumer<? super ResponseHead> action) {
    requireLoop();
    if (onResponse != null) {
      throw new IllegalStateException("a callback for the response was registered before");
    }
    onResponse = action;
    if (response != null) {
      later(this::deliverHead);
    }
  }

  private void deliverHead() {
    if (onResponse == null || response == null || headDelivered || isOver()) {
      return;
    }
    headDelivered = true;
    try {
      onResponse.accept(response);
    } catch (Throwable t) {
      failed(t);
    }
  }

  @Override
  public final IncomingBody responseBody() {
    return this;
  }

  @Override
  protected final long announcedLength() {
    return response == null || !hasBody ? -1 : response.contentLength();
  }

  /// True if the head of the response announced the length of a body.
  public final boolean isSized() {
    return announcedLength() >= 0;
  }

  @Override
  final @Nullable HttpStatus status() {
    return response == null ? null : response.status();
  }

  @Override
  public final boolean isTunnel() {
    return tunnel;
  }

  @Override
  public final void tunnel(ChannelInitializer initializer) {
    requireLoop();
    if (isOver()) {
      return;
    }
    if (!tunnel) {
      throw new IllegalStateException("the response to " + request() + " opens no tunnel");
    }
    try {
      transmitTunnel(initializer);
    } catch (Throwable t) {
      throw transmissionFailed(t);
    }
    completed();
  }

  // ---- failures ----

  @Override
  final void bodyRefused(HttpException cause) {
    refuse(cause);
  }

  @Override
  final void failed(Throwable cause) {
    if (isOver()) {
      LOG.log(System.Logger.Level.DEBUG, "a failure after the end of " + request(), cause);
      return;
    }
    LOG.log(System.Logger.Level.WARNING, "a callback of " + request() + " failed", cause);
    abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
  }

  /// Fails the exchange if a message cannot be transmitted, for example because memory is
  /// exhausted. The two sides would otherwise disagree on what follows.
  ///
  /// @return never; the failure is thrown
  private RuntimeException transmissionFailed(Throwable cause) {
    abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
    if (cause instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) cause; // a transmission declares no other exception
  }

  @Override
  final void closeOutput() {
    outbound = Outbound.DROPPED;
  }
}
