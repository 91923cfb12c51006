package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.ClientSideExchange.Following;
import dev.quickwater.http2.StreamState.Event;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The client's side of a connection of HTTP/2, without I/O: exchanges in, frames out.
///
/// - Exchanges are open at the same time, up to the limit of the server. Before the server's
///   settings arrive, the caller supplies the limit.
/// - A body whose request expects 100 (Continue) waits for it, or for a second.
/// - After GOAWAY no exchange is opened. Exchanges that the server has not processed end as
///   unprocessed, so that they can be repeated (RFC 9113 section 6.8).
/// - Such a body is also sent after the head of a response of 2xx, because the server may read it
///   (RFC 9110 section 10.1.1). After another final response it is dropped, and the end of the
///   response resets the stream.
/// - A response that is complete is delivered although the server resets the rest of the request.
/// - Push is disabled unless there is a listener ([Promises]).
final class Http2ClientEngine extends Http2Engine {

  private static final int MAX_INFORMATIONAL = 8;
  private static final long CONTINUE_TIME = TimeUnit.SECONDS.toNanos(1);

  private int nextId = 1;

  /// The id of the next stream until its head is sent. Ids of the wire increase in the order of
  /// heads, and the head of a request waits for its body.
  private int nextUnsent = -1;

  private boolean goAwayReceived;
  private boolean limitKnown;
  private final int firstStreams;

  /// Null if push is disabled.
  private final @Nullable Promises promises;

  Http2ClientEngine(
      Http2Settings settings, Http2Io io, int firstStreams, @Nullable PushListener pushes) {
    super(settings, io, null);
    this.firstStreams = firstStreams;
    this.promises = pushes == null ? null : new Promises(this, pushes);
  }

  // ---- the beginning ----

  @Override
  void writePreface() {
    frames.preface(PREFACE);
  }

  @Override
  long[] ownSettings() {
    return settings(settings, promises != null);
  }

  /// The settings that a client sends first: ids and values.
  ///
  /// @param push true if the server may push
  static long[] settings(Http2Settings settings, boolean push) {
    Http2Settings.StreamLimits limits = settings.streams();
    return new long[] {
      PeerSettings.HEADER_TABLE_SIZE,
      limits.headerTable(),
      push ? PeerSettings.MAX_CONCURRENT_STREAMS : PeerSettings.ENABLE_PUSH,
      push ? limits.maxStreams() : 0, // push is enabled by default (RFC 9113 section 6.5.2)
      PeerSettings.INITIAL_WINDOW_SIZE,
      settings.windows().initial(),
      PeerSettings.MAX_HEADER_LIST_SIZE,
      limits.maxHeadSize()
    };
  }

  @Override
  boolean readPreface(ByteBuf in) {
    return true;
  }

  @Override
  void peerSettingsChanged() {
    limitKnown = true;
    io.capacityChanged();
  }

  /// Begins with a request that changed from HTTP/1.1: its response, which is dropped, arrives on
  /// stream 1. The server has acknowledged our settings by the change (RFC 7540 section 3.2.1).
  void upgraded(RequestHead request) {
    Stream stream = open(nextId);
    nextId += 2;
    stream.begun = true;
    stream.state = stream.state.on(Event.HEADERS_SENT).on(Event.END_SENT);
    received.changedFromHttp1();
    Http2ClientExchange exchange = new Http2ClientExchange(this, stream, request);
    stream.exchange = exchange;
    exchange.beginAnswer(
        answer -> answer.responseBody().read(new DroppedBody(answer.responseBody())));
    updateTimer();
  }

  private record DroppedBody(IncomingBody body) implements BodyReader {

    @Override
    public void data(ByteBuf bytes) {
      bytes.release();
      body.read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {}

    @Override
    public void failed(Exception cause) {}
  }

  // ---- exchanges ----

  /// True if an exchange can be opened now.
  boolean canOpen() {
    int pushed = promises == null ? 0 : promises.open();
    return !isClosed() && streamCount() - pushed < capacity();
  }

  /// True if no exchange can be opened any more.
  boolean isClosed() {
    return closing != Closing.OPEN || nextId < 0;
  }

  /// How many exchanges can be open at the same time.
  int capacity() {
    return limitKnown ? (int) Math.min(peer.maxStreams(), Integer.MAX_VALUE) : firstStreams;
  }

  /// True if the server's first settings have arrived.
  boolean hasPeerSettings() {
    return limitKnown;
  }

  /// Opens an exchange.
  ///
  /// @throws IllegalStateException unless [#canOpen]
  Http2ClientExchange open(RequestHead head) {
    if (!canOpen()) {
      throw new IllegalStateException("the connection to " + io.peer() + " opens no exchange");
    }
    Stream stream;
    if (head.contentLength() == 0) { // the head is sent before this method returns
      stream = open(nextId);
      nextId += 2;
    } else {
      stream = open(nextUnsent);
      nextUnsent = nextUnsent - 2 | Integer.MIN_VALUE;
    }
    stream.begun = true;
    Http2ClientExchange exchange = new Http2ClientExchange(this, stream, head);
    stream.exchange = exchange;
    exchange.begin();
    updateTimerUnlessReading();
    return exchange;
  }

  /// Sends the head of a request. An empty body ends with the head.
  void sendHead(Stream stream, RequestHead head, long length) {
    if (stream.removed) {
      return;
    }
    if (stream.id < 0) {
      if (goAwayReceived || nextId < 0) {
        terminate(stream, Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null);
        return;
      }
      renumber(stream, nextId);
      nextId += 2;
    }
    RequestHead sent = head;
    if (head.headers().contains(HeaderName.EXPECT)) {
      if (length == 0) {
        // An Expect field is not allowed in a request without content (RFC 9110 section 10.1.1).
        sent = head.toBuilder().remove(HeaderName.EXPECT).build();
      } else if (head.headers().containsToken(HeaderName.EXPECT, "100-continue")) {
        stream.continueAwaited = true;
      }
    }
    boolean tunnel = opensTunnel(head);
    stream.progressed = io.now();
    boolean end = length == 0 && !tunnel;
    frames.request(stream.id, sent, tunnel || length == 0 && isBodiless(head) ? -1 : length, end);
    // If there was no memory for the head, the stream is idle: it must not be reset.
    stream.state = stream.state.on(Event.HEADERS_SENT);
    if (end) {
      endSent(stream);
    }
    flushUnlessReading();
  }

  private static boolean isBodiless(RequestHead head) {
    HttpMethod method = head.method();
    return method != HttpMethod.POST && method != HttpMethod.PUT && method != HttpMethod.PATCH;
  }

  static boolean opensTunnel(RequestHead head) {
    return head.method() == HttpMethod.CONNECT || head.protocol() != null;
  }

  @Override
  boolean mayCut(Stream stream) {
    return !stream.continueAwaited;
  }

  private void openGate(Stream stream) {
    if (stream.continueAwaited) {
      stream.continueAwaited = false;
      bodiesOut.release(stream);
      if (stream.exchange != null) {
        stream.exchange.becameWritable();
      }
    }
  }

  // ---- streams ----

  @Override
  boolean isRemote(int id) {
    return (id & 1) == 0;
  }

  @Override
  boolean isIdle(int id) {
    return isRemote(id) ? promises == null || promises.isIdle(id) : id >= nextId && nextId > 0;
  }

  @Override
  int lastRemote() {
    return promises == null ? 0 : promises.last();
  }

  /// Frames of promised streams that have ended are dropped: promises may be refused in any number,
  /// so their ids are not kept.
  @Override
  ClosedStreams.Reason closeReason(int id) {
    return isRemote(id) ? ClosedStreams.Reason.RESET_SENT : super.closeReason(id);
  }

  @Override
  void promised(int on, int id) throws Http2Exception {
    if (promises == null) {
      super.promised(on, id);
    } else {
      promises.promised(on, id);
    }
  }

  @Override
  boolean acceptsPush() {
    return promises != null;
  }

  @Override
  boolean mayHaveBody(Stream stream) {
    return stream.answered;
  }

  @Override
  void beginArrived() {}

  @Override
  void streamEnded(Stream stream) {
    if (promises != null && isRemote(stream.id)) {
      promises.ended();
    }
    finishIfIdle();
    if (closing == Closing.OPEN) {
      io.capacityChanged();
    }
  }

  @Override
  void streamReset(Stream stream, ErrorCode code) throws Http2Exception {
    if (stream.trailers == null || stream.tunnel != null) {
      super.streamReset(stream, code);
      return;
    }
    // The response is complete: the server only refuses the rest of the request.
    stream.state = stream.state.on(Event.RESET_RECEIVED);
    sendFlow.dropped(stream);
    stream.releaseOutgoing();
    if (stream.exchange instanceof Http2ClientExchange exchange) {
      exchange.dropRequestBody();
    }
  }

  @Override
  void drain() {
    if (closing == Closing.OPEN) {
      closing = Closing.LAST_STREAMS;
      frames.goAway(lastRemote(), ErrorCode.NO_ERROR, "");
      notifyDrain();
      flushUnlessReading();
      io.capacityChanged();
      finishIfIdle();
    }
  }

  @Override
  void goAway(int lastStream, int code, String debug) {
    if (code != ErrorCode.NO_ERROR.number()) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "{0} closes the connection with {1}: {2}",
          io.peer(),
          ErrorCode.of(code),
          debug);
    }
    if (closing == Closing.OPEN) {
      closing = Closing.LAST_STREAMS;
    }
    goAwayReceived = true;
    refuseAbove(lastStream);
    notifyDrain();
    io.capacityChanged();
    finishIfIdle();
  }

  // ---- responses ----

  @Override
  HeadAssembler.Kind kind(@Nullable Stream stream, int id) {
    return stream != null && stream.answered
        ? HeadAssembler.Kind.TRAILERS
        : HeadAssembler.Kind.RESPONSE;
  }

  @Override
  void headers(@Nullable Stream stream, int id, boolean endStream) throws Http2Exception {
    if (stream == null) {
      received.onClosed(null, id, Event.HEADERS_RECEIVED);
      return;
    }
    if (stream.answered) {
      received.trailers(stream, endStream);
      return;
    }
    if (stream.state == StreamState.RESERVED_REMOTE) {
      stream.state = stream.state.on(Event.HEADERS_RECEIVED);
    }
    if (!stream.state.receives() || !(stream.exchange instanceof Http2ClientExchange exchange)) {
      received.onClosed(stream, id, Event.HEADERS_RECEIVED);
      return;
    }
    received.checkMessage(id);
    @Nullable HttpStatus status = received.assembler().status();
    if (status == null) {
      throw ReceivedFrames.malformed(id, received.assembler().fault());
    }
    stream.progressed = heard();
    if (status.isInformational()) {
      inform(stream, exchange, status, endStream);
    } else {
      respond(stream, exchange, status, endStream);
    }
  }

  private void inform(
      Stream stream, Http2ClientExchange exchange, HttpStatus status, boolean endStream)
      throws Http2Exception {
    if (endStream) {
      throw ReceivedFrames.malformed(stream.id, "an informational response ends the stream");
    }
    if (++exchange.informational > MAX_INFORMATIONAL) {
      throw Http2Exception.stream(
          stream.id,
          ErrorCode.ENHANCE_YOUR_CALM,
          "more than " + MAX_INFORMATIONAL + " informational responses");
    }
    if (status.equals(HttpStatus.CONTINUE)) {
      openGate(stream);
    } else {
      exchange.informed(status, received.assembler().fields());
    }
  }

  private void respond(
      Stream stream, Http2ClientExchange exchange, HttpStatus status, boolean endStream)
      throws Http2Exception {
    stream.answered = true;
    boolean tunnel = exchange.opensTunnel && status.code() / 100 == 2;
    boolean bodiless = exchange.isHead || status.isBodiless();
    long announced = received.assembler().contentLength();
    stream.expected = bodiless ? 0 : announced;
    boolean readsBody = status.code() / 100 == 2 && !endStream;
    if (stream.continueAwaited && !readsBody) {
      dropBody(stream, exchange); // the end of the response resets the stream
    }
    long length = announced >= 0 ? announced : endStream ? 0 : -1;
    exchange.responded(
        received.assembler().response(status, length),
        tunnel ? Following.TUNNEL : endStream ? Following.NOTHING : Following.BODY);
    if (!stream.removed) {
      openGate(stream);
    }
    if (endStream && stream.state.receives()) {
      bodiesIn.ended(stream, HttpHeaders.EMPTY);
    }
  }

  private static void dropBody(Stream stream, Http2ClientExchange exchange) {
    stream.continueAwaited = false;
    stream.heldBytes = 0;
    stream.ending = null;
    stream.releaseOutgoing();
    exchange.dropRequestBody();
  }

  @Override
  boolean checksReceiveRate(Stream stream) {
    return stream.expected >= 0;
  }

  @Override
  void deliverEnd(Stream stream, AbstractExchange exchange) {
    super.deliverEnd(stream, exchange);
    if (exchange instanceof Http2ClientExchange client) {
      client.completed();
    }
  }

  @Override
  boolean isComplete(Stream stream) {
    if (stream.trailers == null || !(stream.exchange instanceof Http2ClientExchange exchange)) {
      return false;
    }
    exchange.dropRequestBody();
    return !exchange.isOver();
  }

  /// The exchange is over: the rest of the request is not sent.
  void ended(Stream stream) {
    if (stream.tunnel != null) {
      return;
    }
    if (!stream.removed && stream.state.sends()) {
      reset(stream, ErrorCode.CANCEL);
    } else {
      exchangeEnded(stream);
    }
  }

  // ---- time ----

  @Override
  void checkDeadlines(Stream stream, AbstractExchange exchange, long now) {
    if (stream.continueAwaited && now - stream.progressed >= CONTINUE_TIME) {
      openGate(stream);
    } else if (!stream.answered
        && !stream.state.sends()
        && now - stream.progressed >= settings.timeouts().head().toNanos()) {
      timedOut(stream, exchange, "no response within head, " + settings.timeouts().head());
    }
  }

  @Override
  void timedOut(Stream stream, AbstractExchange exchange, String fact) {
    LOG.log(System.Logger.Level.DEBUG, "{0}: {1}: {2}", io.peer(), exchange.request(), fact);
    reset(stream, ErrorCode.CANCEL);
    exchange.terminated(
        Outcome.Kind.TIMEOUT,
        ResetCode.CANCEL,
        new SocketTimeoutException(exchange.request() + ": " + fact));
  }
}
