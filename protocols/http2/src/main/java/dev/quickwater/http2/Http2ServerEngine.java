package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.DateCache;
import dev.quickwater.http2.StreamState.Event;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The server's side of a connection of HTTP/2, without I/O.
///
/// - **Exchanges begin at the end of a batch of reads**, within the loop's budget of the turn, and
///   while the channel accepts bytes. A stream that the peer resets before reaches no handler.
/// - **Streams above the limit** are refused from the first frame on, without an error of the
///   connection, because the peer may not have received the limit.
/// - A malformed request is reset and reaches no handler. A request whose head exceeds a limit is
///   answered with 431.
/// - An unread body is dropped up to a limit after the response; then the stream is reset with
///   NO_ERROR (RFC 9113 section 8.1).
final class Http2ServerEngine extends Http2Engine {

  private static final HttpHeaders NO_FIELDS = HttpHeaders.EMPTY;

  private final HttpHandler handler;
  private final DateCache dates;
  private final ArrayDeque<Stream> arrived = new ArrayDeque<>(0);

  /// The highest stream that was or may be processed.
  private int lastStream;

  /// The highest stream that the client has opened, above the one of our GOAWAY, too.
  private int lastOpened;

  /// Null until a handler uses push, which few connections do.
  private @Nullable Pushes pushes;

  private int prefaceRead;

  /// Further exchanges wait for the loop's next turn.
  private boolean yielded;

  Http2ServerEngine(
      Http2Settings settings, HttpHandler handler, Http2Io io, @Nullable BudgetTrips trips) {
    super(settings, io, trips);
    this.handler = handler;
    this.dates = DateCache.of(io.loop());
  }

  // ---- the beginning ----

  @Override
  void writePreface() {}

  @Override
  long[] ownSettings() {
    Http2Settings.StreamLimits limits = settings.streams();
    return new long[] {
      PeerSettings.HEADER_TABLE_SIZE,
      limits.headerTable(),
      PeerSettings.MAX_CONCURRENT_STREAMS,
      limits.maxStreams(),
      PeerSettings.INITIAL_WINDOW_SIZE,
      settings.windows().initial(),
      PeerSettings.MAX_HEADER_LIST_SIZE,
      limits.maxHeadSize(),
      PeerSettings.ENABLE_CONNECT_PROTOCOL,
      1,
      PeerSettings.NO_RFC7540_PRIORITIES,
      1
    };
  }

  @Override
  boolean readPreface(ByteBuf in) throws Http2Exception {
    while (prefaceRead < PREFACE.length && in.isReadable()) {
      if (in.readByte() != PREFACE[prefaceRead++]) {
        prefaceRead = PREFACE.length;
        throw Http2Exception.connection(
            ErrorCode.PROTOCOL_ERROR, "the preface is wrong (RFC 9113 section 3.4)");
      }
    }
    return prefaceRead == PREFACE.length;
  }

  /// Begins with a request that changed from HTTP/1.1: it is stream 1, which the client has ended
  /// (RFC 7540 section 3.2). The client's preface follows.
  void upgraded(UpgradedRequest upgrade) {
    try {
      peer.setAll(upgrade.settings(), false);
      received.applySettings();
      lastOpened = 1;
      lastStream = 1;
      budgets.streamOpened(io.now());
    } catch (Http2Exception e) {
      throw new IllegalStateException("the settings of an upgrade were checked before", e);
    }
    Stream stream = arrive(1, upgrade.head(), Event.HEADERS_RECEIVED);
    stream.state = stream.state.on(Event.END_RECEIVED);
    updateTimer();
  }

  /// Opens a stream whose request, without a body, did not arrive in a frame.
  Stream arrive(int id, RequestHead head, Event event) {
    Stream stream = open(id);
    stream.state = stream.state.on(event);
    stream.trailers = NO_FIELDS;
    stream.exchange = new Http2Exchange(this, stream, head);
    arrived.add(stream);
    flushUnlessReading();
    return stream;
  }

  @Override
  void goAway(int last, int code, String debug) {
    pushes().goAway();
    streams.forEach(stream -> {
      if (!isRemote(stream.id) && stream.id > last) {
        terminate(stream, Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null);
      }
    });
  }

  // ---- streams ----

  @Override
  boolean isRemote(int id) {
    return (id & 1) != 0;
  }

  @Override
  boolean isIdle(int id) {
    return isRemote(id) ? id > lastOpened : pushes == null || pushes.isIdle(id);
  }

  @Override
  int lastRemote() {
    return lastStream;
  }

  @Override
  boolean mayHaveBody(Stream stream) {
    return true;
  }

  @Override
  HeadAssembler.Kind kind(@Nullable Stream stream, int id) {
    return stream == null ? HeadAssembler.Kind.REQUEST : HeadAssembler.Kind.TRAILERS;
  }

  @Override
  void headers(@Nullable Stream stream, int id, boolean endStream) throws Http2Exception {
    if (stream != null) {
      received.trailers(stream, endStream);
      return;
    }
    if (!isRemote(id)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "a client opens stream " + id + ", which is even");
    }
    if (id <= lastOpened) {
      received.onClosed(null, id, Event.HEADERS_RECEIVED);
      return;
    }
    lastOpened = id;
    if (closing == Closing.LAST_STREAMS) {
      throw Http2Exception.stream(
          id, ErrorCode.REFUSED_STREAM, "the stream is above the last one of GOAWAY");
    }
    lastStream = id;
    if (streamCount() - (pushes == null ? 0 : pushes.open()) >= settings.streams().maxStreams()) {
      throw Http2Exception.stream(
          id, ErrorCode.REFUSED_STREAM, "more streams than maxStreams are open");
    }
    budgets.streamOpened(heard());
    @Nullable String fault = received.assembler().fault();
    if (fault != null) {
      throw ReceivedFrames.malformed(id, fault);
    }
    if (received.assembler().isTooLarge()) {
      refuseHead(id, endStream);
      return;
    }
    @Nullable RequestHead head = received.assembler().request(endStream);
    if (head == null) {
      throw ReceivedFrames.malformed(id, received.assembler().fault());
    }
    begin(id, head, endStream);
  }

  private void begin(int id, RequestHead head, boolean endStream) throws Http2Exception {
    int held = (int) received.assembler().size();
    if (!budgets.fieldsDecoded(held)) {
      logHeldFields();
      throw Http2Exception.stream(
          id, ErrorCode.REFUSED_STREAM, "the heads of open streams exceed heldFields");
    }
    Stream stream = open(id);
    stream.fieldBytes = held;
    stream.state = stream.state.on(Event.HEADERS_RECEIVED);
    stream.expected = received.assembler().contentLength();
    stream.continueAwaited =
        !endStream
            && received.assembler().expects()
            && head.headers().containsToken(HeaderName.EXPECT, "100-continue");
    @Nullable String priority = received.assembler().priority();
    if (priority != null) {
      prioritize(stream, priority);
    }
    stream.exchange = new Http2Exchange(this, stream, head);
    arrived.add(stream);
    if (endStream) {
      bodiesIn.ended(stream, NO_FIELDS);
    }
  }

  /// A peer can exceed this limit with each stream, so the log has a line whenever the number of
  /// excesses has doubled.
  private void logHeldFields() {
    if (Long.bitCount(budgets.trips()) == 1) {
      LOG.log(
          System.Logger.Level.INFO,
          "{0}: streams are refused, their heads exceed heldFields; exceeded budgets: {1}",
          io.peer(),
          budgets.trips());
    }
  }

  /// Answers a head that exceeds a limit. No handler is called.
  private void refuseHead(int id, boolean endStream) throws Http2Exception {
    refusalCaused();
    Stream stream = open(id);
    stream.state = stream.state.on(Event.HEADERS_RECEIVED);
    if (endStream) {
      stream.state = stream.state.on(Event.END_RECEIVED);
      stream.trailers = NO_FIELDS;
    }
    ResponseHead head = ResponseHead.of(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, NO_FIELDS);
    frames.response(id, head, 0, dates, 0, true);
    endSent(stream);
  }

  @Override
  void beginArrived() {
    while (!yielded && !arrived.isEmpty() && io.isWritable()) {
      if (!io.takeUnit()) {
        yielded = true;
        io.resumeLater();
        return;
      }
      Stream stream = arrived.remove();
      if (stream.removed || !(stream.exchange instanceof Http2Exchange exchange)) {
        continue;
      }
      stream.begun = true;
      if (stream.state == StreamState.RESERVED_LOCAL) {
        stream.state = stream.state.on(Event.HEADERS_SENT); // they are the first that is sent
      }
      exchange.begin(handler);
    }
  }

  @Override
  void nextTurn() {
    yielded = false;
  }

  @Override
  void streamReset(Stream stream, ErrorCode code) throws Http2Exception {
    super.streamReset(stream, code);
    if (!isRemote(stream.id)) {
      return; // a client may refuse what it did not request
    }
    if (!stream.begun) {
      budgets.resetBeforeHandler(heard());
    }
    budgets.streamReset(heard());
  }

  /// The promised responses.
  Pushes pushes() {
    if (pushes == null) {
      pushes = new Pushes(this);
    }
    return pushes;
  }

  @Override
  void streamEnded(Stream stream) {
    if (!stream.begun) {
      arrived.remove(stream); // while the channel is full, none is taken from there
    }
    if (!isRemote(stream.id)) {
      pushes().ended();
    }
    finishIfIdle();
  }

  // ---- responses ----

  /// A reader of the body waits.
  void bodyWanted(Stream stream) {
    if (stream.continueAwaited && !stream.removed) {
      stream.continueAwaited = false;
      if (!stream.answered && !stream.hasIncoming() && stream.trailers == null) {
        inform(stream, HttpStatus.CONTINUE, NO_FIELDS);
      }
    }
    bodiesIn.wanted(stream);
  }

  void inform(Stream stream, HttpStatus status, HttpHeaders headers) {
    if (stream.state.sends()) {
      frames.inform(stream.id, status, headers);
      flushUnlessReading();
    }
  }

  /// Sends a whole response.
  void respond(Stream stream, ResponseHead head, byte[] content, boolean hasBody) {
    if (!stream.state.sends()) {
      return;
    }
    boolean body = hasBody && content.length > 0;
    writeHead(stream, head, body ? Math.min(content.length, 4096) : 0, !body);
    if (body) {
      bodiesOut.sendWhole(stream, content);
    } else {
      endSent(stream);
    }
    flushUnlessReading();
  }

  /// Sends a head, which a body follows if `hasBody`.
  void respond(Stream stream, ResponseHead head, boolean hasBody) {
    if (stream.state.sends()) {
      writeHead(stream, head, 0, !hasBody);
      if (!hasBody) {
        endSent(stream);
      }
      flushUnlessReading();
    }
  }

  /// Sends the head that opens a tunnel (RFC 9113 section 8.5), and makes the stream a channel.
  void tunnel(Stream stream, HttpHeaders headers, ChannelInitializer initializer) {
    if (stream.state.sends()) {
      respond(stream, ResponseHead.of(HttpStatus.OK, headers), true);
      openTunnel(stream, initializer);
    }
  }

  private void writeHead(Stream stream, ResponseHead head, int more, boolean endStream) {
    stream.answered = true;
    stream.progressed = io.now();
    long length = head.status().isBodiless() ? -1 : head.contentLength();
    frames.response(stream.id, head, length, dates, more, endStream);
  }

  // ---- time ----

  @Override
  void checkDeadlines(Stream stream, AbstractExchange exchange, long now) {}

  @Override
  void timedOut(Stream stream, AbstractExchange exchange, String fact) {
    LOG.log(System.Logger.Level.DEBUG, "{0}: {1}: {2}", io.peer(), exchange.request(), fact);
    if (!(exchange instanceof Http2Exchange server) || !stream.begun) {
      reset(stream, ErrorCode.CANCEL);
      exchange.terminated(Outcome.Kind.TIMEOUT, ResetCode.CANCEL, null);
      return;
    }
    if (stream.queued > 0) {
      reset(stream, ErrorCode.CANCEL);
      exchange.terminated(Outcome.Kind.TIMEOUT, ResetCode.CANCEL, null);
      return;
    }
    stream.progressed = io.now();
    boolean waitsForPeer = server.wantsBody();
    server.violated(
        Outcome.Kind.TIMEOUT,
        waitsForPeer
            ? new HttpException(HttpStatus.REQUEST_TIMEOUT, "the body stopped arriving")
            : new HttpException(
                HttpStatus.SERVICE_UNAVAILABLE, "the request was not answered in time"));
  }
}
