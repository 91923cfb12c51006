package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.ClientSideExchange.Following;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http1.ConnectionClock.Wait;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// The client's side of an HTTP/1.1 connection, without I/O: exchanges in, received bytes in,
/// effects to a [ClientIo].
///
/// - One exchange is open at a time: nothing is pipelined.
/// - The head of a response is parsed at once, the body only while a reader waits. The engine does
///   not read from the server in between, so a slow reader slows the server down.
/// - Requests that are written during a batch of reads are flushed at the end of the batch, others
///   once at the end of the loop's turn.
/// - The connection closes after an incomplete request or response, after a response that announces
///   the close, and after every violation. After a violation no further input is interpreted. Bytes
///   that arrive while no response is due are a violation.
/// - [Closing#CLOSING] is not used: a client sends nothing after its last request.
final class ClientEngine extends ConnectionEngine {

  private static final System.Logger LOG = System.getLogger(Http1ClientHandler.class.getName());

  private static final long NEVER = ConnectionClock.NEVER;

  private final ClientIo io;
  private final ResponseParser parser;
  private final RequestFramer framer;
  private final ContinueGate gate;

  private @Nullable Http1ClientExchange exchange;
  private Phase phase = Phase.NONE;

  /// True if the request of the open exchange was completely written.
  private boolean requestEnded;

  /// True if bytes of the request may have reached the server.
  private boolean flushed;

  /// True if an exchange was completed on this connection.
  private boolean reused;

  /// The failure that closed the channel while a part of the response was not read; otherwise null.
  private @Nullable Throwable lost;

  /// When the head of the response is due; [#NEVER] before the end of the request.
  private long headDue = NEVER;

  /// The progress of the response of the open exchange.
  private enum Phase {
    /// There is no exchange, or no byte of its request was written.
    NONE,
    /// The request has begun; no byte of a response was received.
    WAITING,
    /// The head of the response is incomplete, or was informational.
    HEAD,
    /// The final head is complete.
    ANSWERED
  }

  /// @param http2Settings see [RequestFramer]
  ClientEngine(
      Http1Settings settings,
      HeadEncoder.TargetForm form,
      @Nullable String http2Settings,
      ClientIo io,
      SharedParsers parsers) {
    super(settings, io);
    this.io = io;
    this.parser = new ResponseParser(settings, settings.heads().maxInformational(), parsers);
    this.framer = new RequestFramer(output, form, http2Settings);
    this.gate = new ContinueGate(framer);
  }

  @Override
  ClientIo io() {
    return io;
  }

  @Override
  @Nullable Http1ClientExchange current() {
    return exchange;
  }

  @Override
  HttpVersion version() {
    return parser.version();
  }

  /// True if an exchange can be opened.
  boolean isIdle() {
    return exchange == null && closing == Closing.OPEN && !inputEnded && input.isEmpty();
  }

  /// True if no further exchange can be opened.
  boolean isClosed() {
    return closing != Closing.OPEN || inputEnded;
  }

  // ---- events of the connection ----

  /// Opens an exchange.
  ///
  /// @throws IllegalStateException unless [#isIdle]
  Http1ClientExchange open(RequestHead head) {
    if (!isIdle()) {
      throw new IllegalStateException(
          "the connection to " + io.peer() + " cannot open an exchange");
    }
    Http1ClientExchange opened = new Http1ClientExchange(this, head);
    exchange = opened;
    phase = Phase.NONE;
    requestEnded = false;
    flushed = false;
    clock.exchangeBegan(io.now());
    opened.begin();
    flushUnlessReading();
    return opened;
  }

  /// The channel has closed. An unread response may have arrived before a reset: a server that
  /// refuses a body often responds, closes, and then resets the client that still sends.
  @Override
  void closed(@Nullable Throwable cause) {
    if (cause instanceof IOException && hasUnread()) {
      readRest(cause);
    } else if (!isReadingRest()) {
      connectionEnded(cause);
    }
  }

  private boolean hasUnread() {
    return closing.interprets()
        && phase == Phase.ANSWERED
        && !parser.isTunnel()
        && !starved
        && (!input.isEmpty() || !parser.needsBytes());
  }

  private void readRest(Throwable cause) {
    lost = cause;
    inputEnded = true;
    announceClose();
    gate.drop();
    output.release();
    input.moveToArray();
    @Nullable Http1ClientExchange current = exchange;
    if (current != null) {
      current.dropRequestBody();
    }
    updateTimer();
  }

  /// True if the channel is closed, and the reader of the response has not read all of it. The
  /// limits of the exchange apply as before.
  boolean isReadingRest() {
    return lost != null && closing.interprets();
  }

  @Override
  void drain() {
    if (!closing.interprets()) {
      return;
    }
    @Nullable Http1ClientExchange current = exchange;
    if (current == null) {
      close();
    } else {
      announceClose();
      current.drainBegins();
    }
  }

  private void announceClose() {
    if (closing == Closing.OPEN) {
      closing = Closing.LAST_RESPONSE;
      io.closeAnnounced();
    }
  }

  // ---- input ----

  @Override
  boolean step() throws Http1Exception {
    @Nullable Http1ClientExchange current = exchange;
    if (current == null || phase == Phase.NONE || !flushed) {
      if (input.isEmpty()) {
        return starve();
      }
      throw Http1Exception.badGateway("bytes without a request");
    }
    if (phase != Phase.ANSWERED) {
      return head(current);
    }
    if (parser.isTunnel() || !current.wantsBody()) {
      return false;
    }
    if (!parser.isExpecting()) {
      current.deliverEnd(parser.trailers());
      current.completed();
      return true;
    }
    return switch (parser.parse(input.bytes())) {
      case MORE -> starve();
      case DATA -> {
        deliver(current, parser.dataLength());
        yield true;
      }
      case END -> true; // the next step delivers it
      case INFORM, HEAD -> throw new IllegalStateException("a head inside of a body");
    };
  }

  private boolean head(Http1ClientExchange current) throws Http1Exception {
    if (!input.isEmpty()) {
      phase = Phase.HEAD;
    }
    return switch (parser.parse(input.bytes())) {
      case MORE -> starve();
      case INFORM -> {
        informed(current);
        yield true;
      }
      case HEAD -> {
        answered(current);
        yield true;
      }
      case DATA, END -> throw new IllegalStateException("a body before its head");
    };
  }

  private void informed(Http1ClientExchange current) {
    clock.progressed(io.now());
    if (requestEnded) {
      awaitHead();
    }
    if (parser.status().equals(HttpStatus.CONTINUE)) {
      openGate();
    } else {
      current.informed(parser.status(), parser.headers());
    }
  }

  private void answered(Http1ClientExchange current) {
    phase = Phase.ANSWERED;
    headDue = NEVER;
    clock.progressed(io.now());
    boolean tunnel = parser.isTunnel();
    boolean lastResponse = !tunnel && !parser.isPersistent();
    if (lastResponse) {
      announceClose();
    }
    if (!requestEnded && refusesBody(lastResponse)) {
      gate.drop();
      current.dropRequestBody();
    }
    ResponseHead head =
        parser.status().isInformational()
            ? ResponseHead.switching(EngineAccess.GRANTED, parser.headers())
            : parser.head();
    current.responded(
        head, tunnel ? Following.TUNNEL : parser.hasBody() ? Following.BODY : Following.NOTHING);
    openGate();
  }

  /// True if the server does not read the rest of the request. A body that waited for 100
  /// (Continue) is sent after a 2xx that keeps the connection: without the announcement of a close
  /// the server continues to read (RFC 9110 section 10.1.1). After another status the connection
  /// closes, because the server may take the next request for the body.
  private boolean refusesBody(boolean lastResponse) {
    int code = parser.status().code();
    return gate.isClosed() ? lastResponse || code / 100 != 2 : lastResponse && code >= 400;
  }

  @Override
  boolean mustHold() {
    return phase == Phase.ANSWERED && lost == null;
  }

  @Override
  void inputHasEnded() {
    if (lost != null) {
      if (starved) {
        connectionEnded(lost);
      }
    } else if (exchange == null || phase == Phase.NONE || parser.isTunnel()) {
      connectionEnded(null);
    } else if (parser.isExpecting()) {
      try {
        parser.endOfInput();
        io.resumeSoon();
      } catch (Http1Exception e) {
        connectionEnded(e);
      }
    }
  }

  @Override
  void violated(Http1Exception e) {
    LOG.log(System.Logger.Level.DEBUG, "{0} violated HTTP/1.1: {1}", io.peer(), e.getMessage());
    if (flushed) {
      fail(Outcome.Kind.RESET, ResetCode.PROTOCOL_ERROR, e);
    } else {
      connectionEnded(e);
    }
  }

  // ---- requests of an exchange ----

  boolean isWritable(Http1ClientExchange caller) {
    return caller == exchange && !gate.isClosed() && io.isWritable();
  }

  void bodyWanted(Http1ClientExchange caller) {
    if (caller == exchange) {
      resumeUnlessProcessing();
    }
  }

  void progressed(Http1ClientExchange caller) {
    if (caller == exchange) {
      clock.progressed(io.now());
    }
  }

  void sendHead(Http1ClientExchange caller, long length) {
    RequestHead head = caller.request();
    phase = Phase.WAITING;
    @Nullable String key = framer.head(head, length, closing != Closing.OPEN);
    parser.begin(
        head.method(), head.protocol(), key == null ? null : WebSocketHandshake.accept(key));
    if (length != 0 && head.headers().containsToken(HeaderName.EXPECT, "100-continue")) {
      gate.close(io.now());
    }
    flushUnlessReading();
  }

  void write(ByteBuf bytes) {
    clock.progressed(io.now());
    if (gate.isClosed() && gate.heldBytes() + bytes.readableBytes() > io.hardLimit()) {
      bytes.release();
      throw new IllegalStateException(
          "more than hardLimit, " + io.hardLimit() + " bytes, wait for 100 (Continue)");
    }
    gate.write(bytes);
    flushUnlessReading();
  }

  void endBody(HttpHeaders trailers) {
    if (gate.end(trailers)) {
      requestHasEnded();
    }
    flushUnlessReading();
  }

  private void requestHasEnded() {
    requestEnded = true;
    awaitHead();
  }

  private void awaitHead() {
    if (phase != Phase.ANSWERED) {
      headDue = io.now() + settings.timeouts().head().toNanos();
    }
  }

  /// Sends the held body: the server has sent 100 (Continue), or has not responded in time.
  private void openGate() {
    if (!gate.isClosed()) {
      return;
    }
    clock.progressed(io.now());
    if (gate.open()) {
      requestHasEnded();
    }
    flushUnlessReading();
    @Nullable Http1ClientExchange current = exchange;
    if (current != null) {
      current.becameWritable();
    }
  }

  /// Aborts the exchange. The connection stays open if no byte of the request was written.
  void reset(Http1ClientExchange caller) {
    if (caller == exchange && phase != Phase.NONE && closing.interprets()) {
      close();
    }
  }

  /// Stops interpreting input.
  ///
  /// @return the bytes after the response, or null
  @Nullable ByteBuf openTunnel(Http1ClientExchange caller) {
    if (caller == exchange) {
      output.flush();
      exchange = null;
    }
    closing = closing.advance(Closing.CLOSED);
    return input.takeAll();
  }

  /// The open exchange is over.
  void exchangeEnded(Http1ClientExchange ended) {
    if (ended != exchange) {
      return;
    }
    exchange = null;
    headDue = NEVER;
    gate.drop();
    if (!closing.interprets()) {
      return;
    }
    if (phase != Phase.NONE) {
      boolean complete = requestEnded && phase == Phase.ANSWERED && !parser.isExpecting();
      if (!complete || !parser.isPersistent() || closing != Closing.OPEN || inputEnded) {
        close();
        return;
      }
      phase = Phase.NONE;
      reused = true;
    } else if (closing != Closing.OPEN) {
      close();
      return;
    }
    if (!input.isEmpty()) {
      resumeUnlessProcessing();
      return;
    }
    flushUnlessReading();
    io.idle();
  }

  @Override
  void aboutToFlush() {
    flushed |= phase != Phase.NONE;
  }

  // ---- the end ----

  /// The connection has closed while an exchange was open.
  private void connectionEnded(@Nullable Throwable cause) {
    fail(Outcome.Kind.PEER_GONE, isUnprocessed() ? ResetCode.REFUSED : ResetCode.CANCEL, cause);
  }

  /// RFC 9110 section 9.2.2: a server may close an idle connection while a request is in flight. An
  /// idempotent request without a response on a reused connection can be repeated.
  private boolean isUnprocessed() {
    @Nullable Http1ClientExchange current = exchange;
    if (current == null) {
      return false;
    }
    return phase == Phase.NONE
        || !flushed
        || reused && phase == Phase.WAITING && current.request().method().isIdempotent();
  }

  @Override
  void abort(Throwable cause) {
    fail(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
  }

  private void fail(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    if (closing == Closing.CLOSED) {
      return;
    }
    closing = Closing.CLOSED;
    @Nullable Http1ClientExchange current = exchange;
    if (current != null) {
      current.terminated(kind, code, cause);
    }
    release();
  }

  private void close() {
    closing = Closing.CLOSED;
    release();
  }

  private void release() {
    gate.drop();
    output.release();
    input.release();
    parser.abort();
    io.close();
  }

  // ---- time ----

  @Override
  long remainingElsewhere(long now) {
    return Math.min(left(gate.due(), now), left(headDue, now));
  }

  private static long left(long due, long now) {
    return due == NEVER ? NEVER : Math.max(due - now, 1);
  }

  /// The rate of a body counts only if its length was announced: a stream of events may be slow.
  @Override
  Wait currentWait() {
    @Nullable Http1ClientExchange current = exchange;
    if (current == null) {
      return Wait.REQUEST;
    }
    boolean reads =
        phase == Phase.ANSWERED
            && current.wantsBody()
            && current.isSized()
            && parser.isInsideBody()
            && !io.isReadingPaused();
    return reads ? Wait.BODY : Wait.ANSWER;
  }

  @Override
  void timerFired() {
    if (closing == Closing.CLOSED) {
      return;
    }
    long now = io.now();
    if (gate.due() != NEVER && gate.due() - now <= 0) {
      openGate();
    }
    if (headDue != NEVER && headDue - now <= 0) {
      timedOut("no response within head, " + settings.timeouts().head());
    } else {
      checkClock(now);
    }
    turnEnds();
  }

  private void checkClock(long now) {
    ExchangeLimits limits = limits();
    switch (clock.check(limits, output.written(), output.unsent(), now)) {
      case NOTHING, HEAD, DISCARD -> {}
      case TRIM -> parser.trim();
      case KEEP_ALIVE -> close();
      case BODY_RATE ->
          timedOut(
              "the response came slower than minReceiveRate, "
                  + limits.minReceiveRate()
                  + " bytes a second");
      case EXCHANGE_IDLE -> timedOut("no progress within idleTimeout, " + limits.idleTimeout());
      case SEND_RATE ->
          timedOut(
              "the server accepts less than minSendRate, "
                  + limits.minSendRate()
                  + " bytes a second");
    }
  }

  private void timedOut(String text) {
    LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", io.peer(), text);
    if (exchange == null) {
      close();
    } else {
      fail(
          Outcome.Kind.TIMEOUT,
          ResetCode.CANCEL,
          new SocketTimeoutException(exchange.request() + ": " + text));
    }
  }
}
