package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.ResponseTransform;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The state machine of a server's exchange, without the wire. It decides what a handler may do and
/// when; a subclass for each version of HTTP transmits.
///
/// ```
/// WAITING --respond(head)--> DEFERRED --first bytes, flush--> STREAMING --end--> ENDED
///   |  |                        '---------end---------------------------------> ENDED
///   |  '--respond(file, stream, later)--> PROMISED --it is there--> as from WAITING
///   '-----respond(whole), tunnel--------------------------------------------> ENDED
/// (WAITING, DEFERRED, PROMISED) --fail--> ENDED, with the mapped response
/// STREAMING --fail--> ABORTED
/// (WAITING, DEFERRED, PROMISED, STREAMING) --reset, peer gone--> ABORTED
/// ```
///
/// `respond` and `tunnel` are illegal outside of WAITING. After the end of the exchange they have
/// no effect. Loop only.
public abstract class ServerExchange extends AbstractExchange implements HttpExchange {

  private enum Outbound {
    WAITING,
    PROMISED,
    DEFERRED,
    STREAMING,
    FILE,
    ENDED,
    ABORTED
  }

  private Outbound outbound = Outbound.WAITING;
  private @Nullable ResponseHead response;

  /// An exchange for a request.
  protected ServerExchange(RequestHead request) {
    super(request);
  }

  // ---- what a version of HTTP provides ----

  /// Sends an informational response.
  protected abstract void transmitInform(HttpStatus status, HttpHeaders headers);

  /// Sends a whole response. The array is only read. The content is left out if the response has no
  /// body on the wire, for example after HEAD.
  protected abstract void transmitWhole(ResponseHead head, byte[] content);

  /// Sends a head. A body follows only if `hasBody`; otherwise the response is complete.
  protected abstract void transmitHead(ResponseHead head, boolean hasBody);

  /// Sends bytes of the body; takes ownership.
  protected abstract void transmit(ByteBuf bytes);

  /// False if files are read and sent as bytes.
  protected boolean canTransmitFiles() {
    return true;
  }

  /// Sends bytes of a file as the body; takes ownership. `sent` completes when the kernel has taken
  /// them.
  protected abstract void transmit(FileRegion file, Promise<Void> sent);

  /// Ends the body.
  protected abstract void transmitEnd(HttpHeaders trailers);

  /// Flushes what was transmitted.
  protected abstract void transmitFlush();

  /// Sends the head that opens a tunnel and replaces the engine by the handlers of `initializer`.
  protected abstract void transmitTunnel(HttpHeaders headers, ChannelInitializer initializer);

  /// The reason why the request cannot open a tunnel; null if it can.
  protected abstract @Nullable HttpException tunnelRefusal();

  // ---- called by the engine ----

  /// Hands the exchange to the handler.
  public final void begin(HttpHandler handler) {
    try {
      handler.handle(this);
    } catch (Throwable t) {
      failed(t);
    }
  }

  /// True before the handler has chosen a response.
  public final boolean isUnanswered() {
    return outbound == Outbound.WAITING;
  }

  /// True while a failure can still become a response.
  public final boolean canFail() {
    return outbound == Outbound.WAITING
        || outbound == Outbound.PROMISED
        || outbound == Outbound.DEFERRED;
  }

  /// The peer violated the protocol inside the body, or is too slow. If a reader waits for the
  /// body, the reader is notified and chooses the response. Otherwise an error is sent, if that is
  /// still possible.
  public final void violated(Outcome.Kind kind, HttpException cause) {
    if (isOver()) {
      return;
    }
    if (!canFail()) {
      abort(kind, ResetCode.PROTOCOL_ERROR, cause);
    } else if (!failBody(cause)) {
      fail(cause);
    }
  }

  // ---- requests ----

  @Override
  public final IncomingBody requestBody() {
    return this;
  }

  @Override
  protected final long announcedLength() {
    return request().contentLength();
  }

  // ---- responses ----

  @Override
  public final void inform(HttpStatus status, HttpHeaders headers) {
    requireLoop();
    if (status.code() < 102 || status.code() > 199) {
      throw new IllegalArgumentException(status + " is not an informational response, 102 to 199");
    }
    if (!isOver() && canFail()) {
      transmitInform(status, headers);
    }
  }

  /// Checks that a response may be chosen.
  ///
  /// @return false if the exchange is over
  private boolean choose(String call) {
    requireLoop();
    if (isOver()) {
      return false;
    }
    if (outbound != Outbound.WAITING) {
      throw new IllegalStateException(
          call + " is illegal because the response to " + request() + " is " + outbound);
    }
    return true;
  }

  @Override
  public final void respond(HttpResponse whole) {
    if (choose("respond")) {
      respondWith(whole);
    }
  }

  private void respondWith(HttpResponse whole) {
    switch (whole.body()) {
      case ResponseBody.Bytes bytes -> {
        response = whole.head();
        if (extras == null || extras.transforms.isEmpty()) {
          outbound = Outbound.ENDED;
          if (hasBody(whole.head())) {
            countSent(bytes.bytes().length);
          }
          try {
            transmitWhole(whole.head(), bytes.bytes());
          } catch (Throwable t) {
            cannotTransmit(t);
            throw t;
          }
          end(Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, null);
        } else {
          outbound = Outbound.DEFERRED;
          byte[] content = bytes.bytes();
          response = whole.head().withLength(content.length);
          if (content.length > 0 && hasBody(whole.head())) {
            write(loop().allocator().allocate(content.length).writeBytes(content));
          }
          end();
        }
      }
      case ResponseBody.OfFile file -> {
        outbound = Outbound.PROMISED;
        FileOpener.open(this, whole.head(), file);
      }
      case ResponseBody.Stream stream -> {
        outbound = Outbound.PROMISED;
        BodyStreamer.start(this, whole.head(), stream.writer());
      }
    }
  }

  @Override
  public final OutgoingBody respond(ResponseHead head) {
    if (choose("respond")) {
      start(head);
    }
    return this;
  }

  private void start(ResponseHead head) {
    response = head;
    outbound = Outbound.DEFERRED;
    if (!hasBody(head)) {
      commit();
      if (outbound == Outbound.STREAMING) {
        end(); // a transformation gave a body to a response without one
      }
    }
  }

  @Override
  public final void respond(ResponseHead head, FileRegion file) {
    boolean chosen = false;
    try {
      chosen = choose("respond");
    } finally {
      if (!chosen) {
        file.release();
      }
    }
    if (chosen) {
      start(head, file);
    }
  }

  private void start(ResponseHead head, FileRegion file) {
    response = head.withLength(file.size());
    outbound = Outbound.DEFERRED;
    boolean taken = false;
    try {
      commit();
      if (outbound == Outbound.STREAMING && file.size() > 0) {
        taken = true;
        sendFile(file);
      } else if (outbound == Outbound.STREAMING) {
        end();
      }
    } finally {
      if (!taken) {
        file.release();
      }
    }
  }

  private void sendFile(FileRegion file) {
    boolean changed = head().contentLength() != file.size() || !canTransmitFiles();
    if (changed || extras != null && extras.transformed != null) {
      BodyStreamer.pump(this, file);
      return;
    }
    outbound = Outbound.FILE;
    countSent(file.size());
    Promise<Void> sent = loop().newPromise();
    sent.onComplete(f -> {
      if (f.isSuccess() && outbound == Outbound.FILE) {
        outbound = Outbound.ENDED;
        transmitEnd(HttpHeaders.EMPTY);
        end(Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, null);
      }
    });
    transmit(file, sent);
  }

  @Override
  public final void respond(Future<HttpResponse> later) {
    if (choose("respond")) {
      outbound = Outbound.PROMISED;
      later.onComplete(f -> {
        if (loop().inLoop()) {
          guard(() -> arrived(f)); // a promise only logs what its listeners throw
        } else {
          submit(() -> arrived(f));
        }
      });
    }
  }

  private void arrived(Future<HttpResponse> done) {
    if (outbound != Outbound.PROMISED) {
      return;
    }
    if (done.isSuccess()) {
      outbound = Outbound.WAITING;
      respondWith(done.value());
    } else {
      fail(done.cause() == null ? new IllegalStateException("no response came") : done.cause());
    }
  }

  /// Continues with the head of a promised response. Called by [FileOpener] and [BodyStreamer].
  ///
  /// @return false if the exchange no longer waits for a response
  final boolean fulfil(ResponseHead head) {
    if (outbound != Outbound.PROMISED || isOver()) {
      return false;
    }
    start(head);
    return !isOver();
  }

  /// Continues with the file of a promised response; takes ownership.
  final void fulfil(ResponseHead head, FileRegion file) {
    if (outbound != Outbound.PROMISED || isOver()) {
      file.release();
    } else {
      start(head, file);
    }
  }

  /// True if a response with this head has a body on the wire.
  protected final boolean hasBody(ResponseHead head) {
    return request().method() != HttpMethod.HEAD && !head.status().isBodiless();
  }

  /// Sends the deferred head, transformed.
  private void commit() {
    if (outbound != Outbound.DEFERRED) {
      return;
    }
    ResponseHead head = transformed(head());
    response = head;
    boolean body = hasBody(head);
    outbound = body ? Outbound.STREAMING : Outbound.ENDED;
    guarded(() -> transmitHead(head, body));
    if (!body) {
      end(Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, null);
    }
  }

  private ResponseHead head() {
    if (response == null) {
      throw new IllegalStateException("no response was begun");
    }
    return response;
  }

  private ResponseHead transformed(ResponseHead head) {
    if (extras == null || extras.transforms.isEmpty()) {
      return head;
    }
    List<ResponseTransform> transforms = extras.transforms;
    ResponseHead result = head;
    for (int i = transforms.size() - 1; i >= 0; i--) {
      result = transforms.get(i).head(result);
    }
    if (hasBody(result)) {
      OutgoingBody raw = new RawBody();
      OutgoingBody body = raw;
      for (ResponseTransform transform : transforms) {
        body = transform.body(body);
      }
      extras.transformed = body == raw ? null : body;
    }
    return result;
  }

  /// The end of the chain of transformations.
  private final class RawBody implements OutgoingBody {
    @Override
    public void write(ByteBuf bytes) {
      send(bytes);
    }

    @Override
    public void end(HttpHeaders trailers) {
      sendEnd(trailers);
    }

    @Override
    public void flush() {
      transmitFlush();
    }

    @Override
    public boolean isWritable() {
      return isOutputWritable();
    }

    @Override
    public void onWritable(Runnable action) {
      onOutputWritable(action);
    }
  }

  @Override
  final boolean acceptsBody() {
    return outbound == Outbound.DEFERRED || outbound == Outbound.STREAMING;
  }

  @Override
  public final void write(ByteBuf bytes) {
    boolean passed = false;
    try {
      requireLoop();
      if (acceptsBody()) {
        commit();
        if (outbound == Outbound.STREAMING) {
          passed = true;
        }
      }
    } finally {
      if (!passed) {
        bytes.release();
      }
    }
    if (passed) {
      @Nullable OutgoingBody chain = extras == null ? null : extras.transformed;
      if (chain == null) {
        send(bytes);
      } else {
        chain.write(bytes);
      }
    }
  }

  private void send(ByteBuf bytes) {
    int size = bytes.readableBytes();
    if (outbound != Outbound.STREAMING || size == 0) {
      bytes.release();
      return;
    }
    long left = head().contentLength() - bytesSent();
    if (head().contentLength() >= 0 && size > left) {
      bytes.release();
      IllegalStateException misuse =
          new IllegalStateException(
              size + " bytes were written where the announced length leaves " + left);
      abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, misuse);
      throw misuse;
    }
    countSent(size);
    guarded(() -> transmit(bytes));
  }

  @Override
  public final void end(HttpHeaders trailers) {
    requireLoop();
    if (!acceptsBody()) {
      return;
    }
    if (outbound == Outbound.DEFERRED && trailers.size() == 0 && head().contentLength() < 0) {
      response = head().withLength(0);
    }
    commit();
    if (outbound != Outbound.STREAMING) {
      return;
    }
    @Nullable OutgoingBody chain = extras == null ? null : extras.transformed;
    if (chain == null) {
      sendEnd(trailers);
    } else {
      chain.end(trailers);
    }
  }

  private void sendEnd(HttpHeaders trailers) {
    if (outbound != Outbound.STREAMING) {
      return;
    }
    long missing = head().contentLength() - bytesSent();
    if (missing > 0) {
      IllegalStateException misuse =
          new IllegalStateException(
              "the body ended " + missing + " bytes short of the announced length");
      abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, misuse);
      throw misuse;
    }
    outbound = Outbound.ENDED;
    guarded(() -> transmitEnd(trailers));
    end(Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, null);
  }

  @Override
  public final void flush() {
    requireLoop();
    if (acceptsBody()) {
      commit();
      @Nullable OutgoingBody chain = extras == null ? null : extras.transformed;
      if (outbound != Outbound.STREAMING || chain == null) {
        transmitFlush();
      } else {
        chain.flush();
      }
    }
  }

  // ---- failures ----

  @Override
  public final void fail(Throwable cause) {
    requireLoop();
    failed(cause);
  }

  @Override
  final void failed(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    if (isOver()) {
      LOG.log(System.Logger.Level.DEBUG, "a failure after the end of " + request(), cause);
      return;
    }
    if (!canFail()) {
      LOG.log(System.Logger.Level.WARNING, "the response to " + request() + " failed", cause);
      abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
      return;
    }
    outbound = Outbound.WAITING;
    try {
      respondWith(mapped(cause));
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.WARNING, "a failure of " + request() + " has no response", t);
      abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, t);
    }
  }

  private static Throwable unwrapped(Throwable cause) {
    @Nullable Throwable inner =
        cause instanceof CompletionException || cause instanceof ExecutionException
            ? cause.getCause()
            : null;
    return inner == null ? cause : inner;
  }

  private HttpResponse mapped(Throwable cause) {
    if (extras != null) {
      for (int i = extras.mappings.size() - 1; i >= 0; i--) {
        @Nullable HttpResponse found = extras.mappings.get(i).apply(cause);
        if (found != null && found.body() instanceof ResponseBody.Bytes) {
          return found;
        }
        if (found != null) {
          // An error sent later would be mixed with what the failed handler still writes.
          LOG.log(System.Logger.Level.WARNING, "a response of onFail is not in memory: {0}", found);
        }
      }
    }
    if (cause instanceof HttpException known) {
      return answer(known);
    }
    LOG.log(System.Logger.Level.WARNING, "a handler failed for " + request(), cause);
    return HttpResponse.text(HttpStatus.INTERNAL_SERVER_ERROR, "internal error\n");
  }

  private static HttpResponse answer(HttpException known) {
    HttpResponse text = HttpResponse.text(known.status(), known.getMessage() + "\n");
    HttpHeaders more = known.headers();
    for (int i = 0; i < more.size(); i++) {
      text = text.with(more.name(i), more.value(i));
    }
    return text;
  }

  /// If a message cannot be transmitted, for example because memory is exhausted, the two sides no
  /// longer agree on what follows.
  private void guarded(Runnable transmission) {
    try {
      transmission.run();
    } catch (Throwable t) {
      cannotTransmit(t);
      throw t;
    }
  }

  private void cannotTransmit(Throwable cause) {
    outbound = Outbound.ABORTED;
    abort(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
  }

  @Override
  final void closeOutput() {
    outbound = Outbound.ABORTED;
  }

  @Override
  public final @Nullable HttpStatus status() {
    return response == null ? null : response.status();
  }

  @Override
  public final void onRespond(ResponseTransform transform) {
    requireLoop();
    if (!isOver()) {
      Extras kept = extras();
      kept.transforms = Extras.with(kept.transforms, transform);
    }
  }

  @Override
  public final void onFail(Function<? super Throwable, ? extends @Nullable HttpResponse> mapping) {
    requireLoop();
    if (!isOver()) {
      Extras kept = extras();
      kept.mappings = Extras.with(kept.mappings, mapping);
    }
  }

  // ---- tunnels ----

  @Override
  public final void tunnel(HttpHeaders headers, ChannelInitializer initializer) {
    if (!choose("tunnel")) {
      return;
    }
    boolean connect = request().method() == HttpMethod.CONNECT;
    if (!connect && request().protocol() == null) {
      throw new IllegalStateException(request() + " opens no tunnel");
    }
    if (!isUnread() || wantsBody()) {
      throw new IllegalStateException("the body of " + request() + " was read");
    }
    @Nullable HttpException refusal = tunnelRefusal();
    if (refusal != null) {
      fail(refusal);
      return;
    }
    outbound = Outbound.ENDED;
    response = connect ? ResponseHead.of(HttpStatus.OK, headers) : null;
    guarded(() -> transmitTunnel(headers, initializer));
    end(Outcome.Kind.COMPLETED, ResetCode.NO_ERROR, null);
  }
}
