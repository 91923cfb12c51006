package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.common.Promise;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http1.ConnectionClock.Wait;
import org.jspecify.annotations.Nullable;

/// The server's side of an HTTP/1.1 connection, without I/O: received bytes in, exchanges to the
/// handler, effects to a [ServerIo].
///
/// - The next head is parsed when the open exchange has ended and its body is complete. Bytes of
///   later requests wait. While they exceed [InputLimits#maxBuffered], the engine does not read
///   from the peer.
/// - The next request begins when the queued output is at most the high water mark, within the
///   loop's budget for the turn.
/// - Responses are flushed at the end of a batch of reads. Output that is written outside of a
///   batch is flushed once at the end of the loop's turn.
/// - After a violation no further input is interpreted. The connection closes after the error
///   response.
/// - A peer that ends its direction before it has received the response counts as gone, unless
///   [Http1Settings#halfClose] is set.
final class ServerEngine extends ConnectionEngine {

  private static final System.Logger LOG = System.getLogger(Http1ServerHandler.class.getName());

  private final HttpHandler handler;
  private final ServerIo io;
  private final RequestParser parser;
  private final ResponseFramer framer;

  private @Nullable Http1Exchange exchange;

  /// True while the rest of the body of an ended exchange is dropped.
  private boolean discarding;

  private int discarded;

  private boolean draining;

  /// True if further requests wait for the loop's next turn.
  private boolean yielded;

  ServerEngine(Http1Settings settings, HttpHandler handler, ServerIo io, SharedParsers parsers) {
    super(settings, io);
    this.handler = handler;
    this.io = io;
    this.parser = new RequestParser(settings, parsers, io.isSecure());
    this.framer = new ResponseFramer(output);
  }

  @Override
  ServerIo io() {
    return io;
  }

  @Override
  @Nullable Http1Exchange current() {
    return exchange;
  }

  @Override
  HttpVersion version() {
    return parser.version();
  }

  // ---- events of the connection ----

  @Override
  void endInput() {
    @Nullable Http1Exchange current = exchange;
    if (current != null && !settings.halfClose()) {
      inputEnded = true;
      peerGone(current);
    } else {
      super.endInput();
    }
  }

  private void peerGone(Http1Exchange current) {
    flushNow();
    closing = closing.advance(Closing.CLOSED);
    current.terminated(Outcome.Kind.PEER_GONE, ResetCode.CANCEL, null);
    release();
    closeNow();
  }

  /// A further turn of the loop has begun.
  void continueTurn() {
    yielded = false;
    resume();
  }

  @Override
  void closed(@Nullable Throwable cause) {
    closing = closing.advance(Closing.CLOSED);
    @Nullable Http1Exchange current = exchange;
    if (current != null) {
      current.terminated(Outcome.Kind.PEER_GONE, ResetCode.CANCEL, cause);
    }
    release();
  }

  private void release() {
    output.release();
    input.release();
  }

  /// Closes the connection after the open exchange. A request whose head has begun to arrive is
  /// still answered.
  @Override
  void drain() {
    draining = true;
    @Nullable Http1Exchange current = exchange;
    if (current != null) {
      announceClose();
      current.drainBegins();
    } else if (discarding || !parser.isInsideHead() && input.isEmpty()) {
      closeGracefully();
    }
  }

  private void announceClose() {
    closing = closing.advance(Closing.LAST_RESPONSE);
  }

  // ---- input ----

  @Override
  boolean step() throws Http1Exception {
    @Nullable Http1Exchange current = exchange;
    if (current == null) {
      return discarding ? discard() : begin();
    }
    if (!current.wantsBody()) {
      return false;
    }
    if (!parser.isInsideBody()) {
      current.deliverEnd(parser.trailers());
      return true;
    }
    return switch (parser.parse(input.bytes())) {
      case MORE -> starve();
      case DATA -> {
        deliver(current, parser.dataLength());
        yield true;
      }
      case END -> true; // the next step delivers it
      case HEAD -> throw new IllegalStateException("a head inside of a body");
    };
  }

  /// Drops the rest of the body of an ended exchange.
  private boolean discard() throws Http1Exception {
    return switch (parser.parse(input.bytes())) {
      case MORE -> starve();
      case DATA -> {
        int length = parser.dataLength();
        input.bytes().skip(length);
        discarded += length;
        if (discarded > settings.input().maxDiscard()) {
          closeGracefully();
        }
        yield true;
      }
      case END -> {
        discarding = false;
        parser.next();
        yield true;
      }
      case HEAD -> throw new IllegalStateException("a head inside of a body");
    };
  }

  private boolean begin() throws Http1Exception {
    if (closing != Closing.OPEN || input.isEmpty() || !mayBegin()) {
      return false;
    }
    if (parser.parse(input.bytes()) == RequestParser.Result.MORE) {
      return starve();
    }
    RequestHead head = parser.request();
    if (!parser.isPersistent() || draining) {
      announceClose();
    }
    framer.begin(parser.version(), parser.expectsContinue() && parser.isInsideBody());
    clock.exchangeBegan(io.now());
    Http1Exchange opened = new Http1Exchange(this, head);
    exchange = opened;
    opened.begin(handler);
    return true;
  }

  /// True if another request may begin. Flushes first if the queued bytes exceed the high water
  /// mark.
  private boolean mayBegin() {
    if (parser.isInsideHead()) {
      return true; // its unit is taken
    }
    if (yielded) {
      return false;
    }
    if (!io.isWritable()) {
      output.flush();
      if (!io.isWritable()) {
        return false;
      }
    }
    if (!io.takeUnit()) {
      yielded = true;
      io.resumeLater();
      return false;
    }
    return true;
  }

  @Override
  boolean mustHold() {
    return exchange != null && parser.isInsideBody()
        || input.size() >= settings.input().maxBuffered();
  }

  @Override
  void inputHasEnded() {
    @Nullable Http1Exchange current = exchange;
    if (current != null && (!settings.halfClose() || starved && parser.isInsideBody())) {
      peerGone(current);
    } else if (current == null && (starved || input.isEmpty())) {
      closeGracefully();
    }
  }

  @Override
  void violated(Http1Exception e) {
    LOG.log(System.Logger.Level.DEBUG, "{0} violated HTTP/1.1: {1}", io.peer(), e.getMessage());
    refuse(Outcome.Kind.RESET, e.status(), e.fact());
  }

  /// Closes the connection because of a violation. Sends an error response unless a response has
  /// begun.
  private void refuse(Outcome.Kind kind, HttpStatus status, String text) {
    announceClose();
    @Nullable Http1Exchange current = exchange;
    if (current != null) {
      clock.progressed(io.now()); // a reader that is notified has its time to answer
      current.violated(kind, new HttpException(status, text));
    } else if (discarding) {
      closeGracefully(); // the exchange has been answered
    } else {
      try {
        framer.refuse(status, text, parser.shared().date());
      } catch (Throwable t) {
        abort(t); // a deadline that brought us here does not come again
        throw t;
      }
      closeGracefully();
    }
  }

  // ---- requests of an exchange ----

  boolean isWritable() {
    return io.isWritable();
  }

  void bodyWanted(Http1Exchange caller) {
    if (caller != exchange) {
      return;
    }
    if (parser.isInsideBody() && framer.owesContinue() && caller.canFail()) {
      framer.inform(HttpStatus.CONTINUE, HttpHeaders.EMPTY);
      flushNow();
    }
    resumeUnlessProcessing();
  }

  void inform(HttpStatus status, HttpHeaders headers) {
    framer.inform(status, headers);
    flushNow();
  }

  void respond(ResponseHead head, byte[] content, boolean hasBody) {
    closeUnlessBodyIsRead();
    framer.whole(
        head, content, hasBody, closing != Closing.OPEN, parser.request(), parser.shared());
    flushUnlessReading();
  }

  void respond(ResponseHead head, boolean hasBody) {
    if (!hasBody) {
      closeUnlessBodyIsRead();
    }
    if (hasBody
        && (framer.endsWithConnection(head)
            || parser.request().method() == HttpMethod.CONNECT
            || parser.isInsideBody() && framer.owesContinue())) {
      announceClose();
    }
    framer.head(head, closing != Closing.OPEN, parser.request(), parser.shared().date());
    flushUnlessReading();
  }

  /// Decides whether the connection closes after a response that ends before the body of its
  /// request. It closes, and the response announces the close, unless the rest of the body is
  /// short: otherwise a client that continues to send would be disconnected without warning. After
  /// a final response instead of 100 (Continue) it closes because the client may send the body or
  /// omit it. After a refused CONNECT it closes because the client may have sent bytes of the
  /// tunnel.
  private void closeUnlessBodyIsRead() {
    if (parser.isInsideBody()
        ? framer.owesContinue() || parser.bodyLeft() > settings.input().maxDiscard()
        : parser.request().method() == HttpMethod.CONNECT) {
      announceClose();
    }
  }

  void write(ByteBuf bytes) {
    clock.progressed(io.now());
    framer.body(bytes);
    flushUnlessReading();
  }

  void write(FileRegion file, Promise<Void> sent) {
    clock.progressed(io.now());
    framer.body(file, sent);
    flushUnlessReading();
  }

  void endBody(HttpHeaders trailers) {
    framer.end(trailers);
    flushUnlessReading();
  }

  /// Aborts the connection because the response of `caller` cannot be completed.
  void reset(Http1Exchange caller) {
    if (caller != exchange || closing == Closing.CLOSED) {
      return;
    }
    if (framer.isUntilClose()) {
      closing = Closing.CLOSED;
      output.release();
      io.reset();
    } else {
      output.flush();
      closing = Closing.CLOSED;
      io.close();
    }
  }

  boolean isDraining() {
    return draining;
  }

  /// Sends the head that opens a tunnel. No further input is interpreted.
  ///
  /// @return the bytes after the request, or null
  @Nullable ByteBuf openTunnel(Http1Exchange caller, HttpHeaders headers) {
    framer.tunnel(caller.request(), headers, parser.shared().date());
    output.flush();
    closing = closing.advance(Closing.CLOSED);
    exchange = null;
    return input.takeAll();
  }

  /// The open exchange is over.
  void exchangeEnded(Http1Exchange ended) {
    if (ended != exchange) {
      return;
    }
    exchange = null;
    if (!closing.interprets()) {
      return;
    }
    if (closing == Closing.LAST_RESPONSE) {
      closeGracefully();
      return;
    }
    if (parser.isInsideBody()) {
      discarding = true;
      discarded = 0;
    } else {
      parser.next();
    }
    resumeUnlessProcessing();
  }

  // ---- the end ----

  @Override
  void abort(Throwable cause) {
    closing = closing.advance(Closing.CLOSED);
    @Nullable Http1Exchange current = exchange;
    if (current != null) {
      current.terminated(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
    }
    release();
    closeNow();
  }

  /// Closes without waiting. A body that is delimited by the close would look complete, so the
  /// connection is then reset instead.
  private void closeNow() {
    if (framer.isUntilClose()) {
      io.reset();
    } else {
      io.close();
    }
  }

  private void closeGracefully() {
    if (closing.interprets()) {
      closing = Closing.CLOSING;
      input.release();
      io.holdInput(false);
      output.flush();
      io.closeGracefully();
      updateTimer();
    }
  }

  // ---- time ----

  @Override
  Wait currentWait() {
    @Nullable Http1Exchange current = exchange;
    if (!closing.interprets()) {
      return Wait.SEND;
    }
    if (current == null) {
      if (discarding) {
        return Wait.DISCARD;
      }
      if (output.unsent() > 0) {
        return Wait.SEND;
      }
      return parser.isInsideHead() || !input.isEmpty() ? Wait.HEAD : Wait.REQUEST;
    }
    boolean reads = current.wantsBody() && parser.isInsideBody() && !io.isReadingPaused();
    return reads ? Wait.BODY : Wait.ANSWER;
  }

  @Override
  void timerFired() {
    if (closing == Closing.CLOSED) {
      return;
    }
    long now = io.now();
    ExchangeLimits limits = limits();
    switch (clock.check(limits, output.written(), output.unsent(), now)) {
      case NOTHING -> {}
      case TRIM -> parser.trim();
      case KEEP_ALIVE, DISCARD -> closeGracefully();
      case HEAD ->
          refuse(
              Outcome.Kind.TIMEOUT, HttpStatus.REQUEST_TIMEOUT, "the head took too long to arrive");
      case BODY_RATE ->
          refuse(Outcome.Kind.TIMEOUT, HttpStatus.REQUEST_TIMEOUT, "the body arrived too slowly");
      case EXCHANGE_IDLE -> exchangeIdle();
      case SEND_RATE -> tooSlow(limits);
    }
    turnEnds();
  }

  private void exchangeIdle() {
    @Nullable Http1Exchange current = exchange;
    if (current == null) {
      return;
    }
    if (output.unsent() > 0) {
      tooSlow(limits());
      return;
    }
    boolean waitsForPeer = current.wantsBody() && parser.isInsideBody();
    LOG.log(
        System.Logger.Level.DEBUG,
        "{0}: {1} made no progress for the idleTimeout, {2}",
        io.peer(),
        current.request(),
        limits().idleTimeout());
    refuse(
        Outcome.Kind.TIMEOUT,
        waitsForPeer ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.SERVICE_UNAVAILABLE,
        waitsForPeer ? "the body stopped arriving" : "the request was not answered in time");
  }

  private void tooSlow(ExchangeLimits limits) {
    LOG.log(
        System.Logger.Level.DEBUG,
        "{0} is disconnected: it accepts less than minSendRate, {1} bytes a second",
        io.peer(),
        limits.minSendRate());
    closing = closing.advance(Closing.CLOSED);
    @Nullable Http1Exchange current = exchange;
    if (current != null) {
      current.terminated(Outcome.Kind.TIMEOUT, ResetCode.CANCEL, null);
    }
    release();
    closeNow();
  }
}
