package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.EngineIo;
import dev.quickwater.http.engine.InputBuffer;
import dev.quickwater.http.engine.OutputBuffer;
import dev.quickwater.http2.StreamState.Event;
import dev.quickwater.util.map.IntMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the engines of both sides of HTTP/2 share, without I/O: frames in, exchanges, frames out.
///
/// - Frames are interpreted as they arrive. What they cause is sent once at the end of a batch of
///   reads; other output once at the end of the loop's turn.
/// - WINDOW_UPDATE and other control frames precede DATA. DATA is cut into frames when the
///   connection flushes, as far as the windows and the channel accept it.
/// - A violation of one stream resets the stream, a violation of the connection closes the
///   connection after GOAWAY (RFC 9113 section 5.4). Afterwards no input is interpreted.
/// - What a peer can cause at will is counted by [Budgets], from the first byte on.
/// - Streams are checked for progress once a second while there are any.
///
/// Loop only.
abstract sealed class Http2Engine implements FrameHandler
    permits Http2ServerEngine, Http2ClientEngine {

  static final System.Logger LOG = System.getLogger(Http2Engine.class.getName());

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private static final int MAX_CONTINUATIONS = 16;

  /// Bytes of DATA that are cut into frames before the writability of the channel is checked again.
  private static final int SEND_CHUNK = 64 << 10;

  /// Bytes that an exchange may write before it is not writable.
  private static final int HIGH_WATER = 64 << 10;

  /// Bytes that an exchange may write although it is not writable.
  private static final int HARD_LIMIT = 16 << 20;

  static final long TICK = TimeUnit.SECONDS.toNanos(1);
  private static final long DISCARD_TIME = TimeUnit.SECONDS.toNanos(1);

  private static final long PROBE = 0x7177_6264_7000_0000L;
  private static final long DRAIN_PING = PROBE + 1;
  private static final long KEEP_ALIVE_PING = PROBE + 2;

  /// How far the connection is on the way to its end.
  enum Closing {
    OPEN,
    /// The first GOAWAY of a drain was sent: streams of the peer may still arrive.
    ANNOUNCED,
    /// No further stream is opened; open streams are completed.
    LAST_STREAMS,
    /// No input is interpreted. Queued bytes are sent.
    CLOSING,
    CLOSED;

    boolean interprets() {
      return this == OPEN || this == ANNOUNCED || this == LAST_STREAMS;
    }
  }

  final Http2Settings settings;
  final Http2Io io;
  final OutputBuffer output;
  final FrameOutput frames;
  final PeerSettings peer = new PeerSettings();
  final SendFlow sendFlow;
  final ReceiveFlow receiveFlow;
  final Budgets budgets;
  final HeadAssembler assembler;
  private final InputBuffer input = new InputBuffer();
  private final FrameReader reader;
  private final HpackDecoder decoder;
  private final IntMap<Stream> streams = new IntMap<>();
  private final ClosedStreams closedStreams = new ClosedStreams();
  private final List<Stream> waitingReaders = new ArrayList<>(0);
  private final List<AbstractExchange> waitingWriters = new ArrayList<>(0);

  Closing closing = Closing.OPEN;

  /// The stack is inside of [#process].
  private boolean processing;

  /// A batch of reads has begun; its end flushes.
  private boolean reading;

  private boolean inputEnded;

  /// The peer's first SETTINGS frame has arrived.
  private boolean settingsReceived;

  private boolean settingsAcknowledged;

  /// Acknowledgements that were written while output was pending.
  private int unwrittenAcks;

  // ---- times, in nanoseconds of the loop's clock ----

  private long started;

  /// When the last frame arrived.
  private long heard;

  /// When the last stream ended.
  long idleSince;

  /// When a keep-alive ping was sent; 0 for none.
  private long pingSent;

  /// When the first GOAWAY of a drain was sent.
  private long announced;

  private long nextTick;

  Http2Engine(Http2Settings settings, Http2Io io, Distributor distributor) {
    this.settings = settings;
    this.io = io;
    this.output = new OutputBuffer(io);
    this.frames = new FrameOutput(output, 4096);
    this.sendFlow = new SendFlow(distributor, PeerSettings.DEFAULT_WINDOW);
    this.receiveFlow = new ReceiveFlow(PeerSettings.DEFAULT_WINDOW, settings.windows());
    this.budgets = new Budgets(settings.budgets());
    Http2Settings.StreamLimits limits = settings.streams();
    this.assembler = new HeadAssembler(limits.maxHeadSize(), limits.maxFields(), false);
    this.reader =
        new FrameReader(this, Frames.MIN_MAX_SIZE, 2 * limits.maxHeadSize(), MAX_CONTINUATIONS);
    this.decoder = new HpackDecoder(4096);
  }

  // ---- what a side provides ----

  /// A header block that opens a stream or follows on one.
  abstract void headers(@Nullable Stream stream, int id, boolean endStream) throws Http2Exception;

  /// True if the peer opens streams with this id.
  abstract boolean isRemote(int id);

  /// True if no stream with this id was opened.
  abstract boolean isIdle(int id);

  /// What is sent first.
  abstract void writePreface();

  /// Consumes the peer's preface.
  ///
  /// @return false if it is incomplete
  abstract boolean readPreface(ByteBuf in) throws Http2Exception;

  /// True if the head of the peer's message was received.
  abstract boolean mayHaveBody(Stream stream);

  /// Begins exchanges that have arrived.
  abstract void beginArrived();

  /// A turn of the loop has begun that was requested with [Http2Io#resumeLater].
  void nextTurn() {}

  /// A stream was removed.
  abstract void streamEnded(Stream stream);

  /// The highest stream of the peer that was or may be processed.
  abstract int lastRemote();

  /// Checks deadlines of a stream that only one side has.
  abstract void checkDeadlines(Stream stream, AbstractExchange exchange, long now);

  /// The limits of the peer have changed.
  void peerSettingsChanged() {}

  // ---- events of the connection ----

  /// The connection is open.
  final void start() {
    started = io.now();
    heard = started;
    idleSince = started;
    nextTick = started + TICK;
    writePreface();
    int more = receiveFlow.connectionStart();
    if (more > 0) {
      frames.windowUpdate(0, more);
    }
    output.flush();
    updateTimer();
  }

  /// Bytes arrived; takes ownership.
  final void receive(ByteBuf bytes) {
    if (!closing.interprets()) {
      bytes.release();
      return;
    }
    reading = true;
    try {
      input.add(bytes, io.allocator());
    } catch (Throwable t) {
      abort(t);
      throw t;
    }
    process();
  }

  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    heard = io.now();
    try {
      while (closing.interprets() && readFrame()) {
        // each step consumes a frame, or a part of one
      }
    } catch (Throwable t) {
      abort(t);
      throw t;
    } finally {
      processing = false;
      releaseInputIfClosed();
    }
    input.trim(io.allocator());
  }

  /// The reader of frames may be on the stack: it keeps its buffer until it returns.
  private void releaseInputIfClosed() {
    if (!processing && !closing.interprets()) {
      input.release();
    }
  }

  private boolean readFrame() {
    try {
      ByteBuf in = input.bytes();
      return readPreface(in) && reader.read(in);
    } catch (Http2Exception e) {
      violated(e);
      return true;
    }
  }

  /// The batch of reads has ended.
  final void readComplete() {
    reading = false;
    turnEnds();
    if (inputEnded && closing.interprets()) {
      peerGone(null);
    }
  }

  /// A flush that was requested with [EngineIo#flushLater] is due.
  final void flushDue() {
    if (!reading) {
      turnEnds();
    }
  }

  /// A task that was requested with [EngineIo#resumeSoon].
  final void resume() {
    deliverWaiting();
    flushUnlessReading();
  }

  /// A further turn of the loop has begun.
  final void continueTurn() {
    nextTurn();
    turnEnds();
  }

  /// The peer has ended its direction.
  final void endInput() {
    inputEnded = true;
    if (!reading && closing.interprets()) {
      peerGone(null);
    }
  }

  /// The channel accepts bytes again.
  final void writable() {
    if (closing.interprets()) {
      turnEnds();
    }
  }

  /// The channel has closed.
  final void closed(@Nullable Throwable cause) {
    if (closing != Closing.CLOSED) {
      peerGone(cause);
    }
  }

  private void peerGone(@Nullable Throwable cause) {
    boolean open = closing != Closing.CLOSED;
    closing = Closing.CLOSED;
    terminateAll(Outcome.Kind.PEER_GONE, ResetCode.CANCEL, cause);
    release();
    if (open) {
      io.close();
    }
  }

  private void release() {
    output.release();
    releaseInputIfClosed();
  }

  /// A failure inside of the engine, for example exhausted memory.
  final void abort(Throwable cause) {
    if (closing == Closing.CLOSED) {
      return;
    }
    closing = Closing.CLOSED;
    terminateAll(Outcome.Kind.RESET, ResetCode.INTERNAL_ERROR, cause);
    release();
    io.close();
  }

  /// Ends all exchanges. Nothing more is sent for them.
  final void terminateAll(Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    for (int key : streams.keys()) {
      @Nullable Stream stream = streams.get(key);
      if (stream != null) {
        terminate(stream, kind, code, cause);
      }
    }
  }

  /// Ends the exchanges of streams above `last`, which the peer has not processed.
  final void refuseAbove(int last) {
    for (int key : streams.keys()) {
      @Nullable Stream stream = streams.get(key);
      if (stream != null && stream.id > last) {
        terminate(stream, Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null);
      }
    }
  }

  private void terminate(
      Stream stream, Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    remove(stream, ClosedStreams.Reason.RESET_SENT);
    @Nullable AbstractExchange exchange = stream.exchange;
    if (exchange != null) {
      exchange.terminated(kind, code, cause);
    }
  }

  // ---- streams ----

  private static int key(int id) {
    return (id & 1) != 0 ? id >>> 1 : ~(id >>> 1);
  }

  final @Nullable Stream find(int id) {
    return streams.get(key(id));
  }

  final int streamCount() {
    return streams.size();
  }

  final Stream open(int id) {
    Stream stream = new Stream(this, id);
    stream.progressed = io.now();
    streams.put(key(id), stream);
    sendFlow.open(stream);
    receiveFlow.open(stream);
    return stream;
  }

  /// Removes a stream and releases what it holds. The exchange is not notified.
  final void remove(Stream stream, ClosedStreams.Reason reason) {
    if (stream.removed) {
      return;
    }
    stream.removed = true;
    streams.remove(key(stream.id));
    stream.state = StreamState.CLOSED;
    closedStreams.add(stream.id, reason);
    sendFlow.dropped(stream);
    receiveFlow.discarded(stream, stream.unread);
    receiveFlow.closed(stream);
    budgets.fieldsReleased(stream.fieldBytes);
    stream.release();
    if (streams.isEmpty()) {
      idleSince = io.now();
    }
    streamEnded(stream);
  }

  /// This side has ended its direction.
  final void endSent(Stream stream) {
    stream.state = stream.state.on(Event.END_SENT);
    if (stream.exchange == null || stream.exchange.isOver()) {
      exchangeEnded(stream);
    }
  }

  /// The exchange is over, or there is none.
  final void exchangeEnded(Stream stream) {
    if (stream.state == StreamState.CLOSED) {
      remove(stream, ClosedStreams.Reason.ENDED);
    } else if (stream.state == StreamState.HALF_CLOSED_LOCAL) {
      discard(stream);
    }
  }

  /// Drops what the peer still sends on a stream.
  final void discard(Stream stream) {
    if (!stream.discarding) {
      stream.discarding = true;
      stream.progressed = io.now();
      int unread = stream.unread;
      if (stream.hasIncoming()) {
        stream.takeIncoming().release();
      }
      dropped(stream, unread);
    }
  }

  private void dropped(Stream stream, int bytes) {
    stream.discarded += bytes;
    if (stream.discarded > settings.streams().maxDiscard()) {
      reset(stream, ErrorCode.NO_ERROR);
    } else {
      returnCredit(stream, bytes);
    }
  }

  /// Resets a stream; the exchange is not notified.
  final void reset(Stream stream, ErrorCode code) {
    if (stream.removed) {
      return;
    }
    boolean silent = stream.state == StreamState.IDLE || stream.state == StreamState.CLOSED;
    remove(stream, ClosedStreams.Reason.RESET_SENT);
    if (!silent) {
      frames.reset(stream.id, code);
      flushUnlessReading();
    }
  }

  // ---- violations ----

  private void violated(Http2Exception e) {
    if (e.stream() == 0) {
      connectionError(e);
      return;
    }
    try {
      if (e.code() != ErrorCode.REFUSED_STREAM) {
        budgets.streamReset(heard);
      }
    } catch (Http2Exception worse) {
      connectionError(worse);
      return;
    }
    LOG.log(System.Logger.Level.DEBUG, "{0} violated HTTP/2: {1}", io.peer(), e.getMessage());
    @Nullable Stream stream = find(e.stream());
    if (stream == null) {
      closedStreams.add(e.stream(), ClosedStreams.Reason.RESET_SENT);
      frames.reset(e.stream(), e.code());
      return;
    }
    reset(stream, e.code());
    @Nullable AbstractExchange exchange = stream.exchange;
    if (exchange != null) {
      exchange.terminated(Outcome.Kind.RESET, e.code().resetCode(), e);
    }
  }

  final void connectionError(Http2Exception e) {
    @Nullable String setting = budgets.trippedSetting();
    LOG.log(
        System.Logger.Level.INFO,
        "{0} is disconnected with {1}: {2}{3}",
        io.peer(),
        e.code(),
        e.getMessage(),
        e.code() == ErrorCode.ENHANCE_YOUR_CALM && setting != null
            ? ", limited by " + setting
            : "");
    frames.goAway(lastRemote(), e.code(), String.valueOf(e.getMessage()));
    terminateAll(Outcome.Kind.RESET, e.code().resetCode(), e);
    finish();
  }

  /// Sends what is queued and closes.
  final void finish() {
    if (closing == Closing.CLOSING || closing == Closing.CLOSED) {
      return;
    }
    closing = Closing.CLOSING;
    releaseInputIfClosed();
    output.flush();
    io.closeGracefully();
    io.wakeAfter(EngineIo.NEVER);
  }

  // ---- drain ----

  /// Lets open exchanges end, then closes. A server announces the end with a GOAWAY that refuses no
  /// stream, and sends the final one after a round trip (RFC 9113 section 6.8).
  void drain() {
    if (closing != Closing.OPEN) {
      return;
    }
    closing = Closing.ANNOUNCED;
    announced = io.now();
    frames.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "");
    frames.ping(DRAIN_PING, false);
    for (int key : streams.keys()) {
      @Nullable Stream stream = streams.get(key);
      if (stream != null && stream.exchange != null) {
        stream.exchange.drainBegins();
      }
    }
    flushUnlessReading();
    updateTimer();
  }

  final boolean isDraining() {
    return closing != Closing.OPEN;
  }

  /// Sends the final GOAWAY.
  private void lastStreams() {
    if (closing == Closing.ANNOUNCED) {
      closing = Closing.LAST_STREAMS;
      frames.goAway(lastRemote(), ErrorCode.NO_ERROR, "");
      flushUnlessReading();
      finishIfIdle();
    }
  }

  final void finishIfIdle() {
    if (closing == Closing.LAST_STREAMS && streams.isEmpty()) {
      finish();
    }
  }

  // ---- frames: DATA ----

  @Override
  public final void data(int id, ByteBuf bytes, int padding, boolean endStream)
      throws Http2Exception {
    boolean taken = false;
    try {
      requireSettings();
      int length = bytes.readableBytes();
      @Nullable Stream stream = find(id);
      if (stream == null || !stream.state.receives()) {
        receiveFlow.receivedUnknown(length + padding);
        onClosed(stream, id, Event.DATA_RECEIVED);
        return;
      }
      count(stream, length, padding, endStream);
      if (stream.discarding) {
        returnCredit(stream, padding);
        dropped(stream, length);
      } else {
        taken = deliver(stream, bytes, padding);
      }
      if (endStream && stream.state.receives()) {
        inputEnded(stream, HttpHeaders.EMPTY);
      }
    } finally {
      if (!taken) {
        bytes.release();
      }
    }
  }

  private void count(Stream stream, int length, int padding, boolean endStream)
      throws Http2Exception {
    if (!mayHaveBody(stream)) {
      throw Http2Exception.stream(
          stream.id, ErrorCode.PROTOCOL_ERROR, "DATA precedes the head of its message");
    }
    long now = heard;
    receiveFlow.received(stream, length + padding);
    if (length > 0) {
      budgets.progress();
      stream.progressed = now;
    } else if (!endStream) {
      budgets.emptyData(now);
    }
    if (stream.expected >= 0) {
      stream.expected -= length;
      if (stream.expected < 0) {
        throw wrongLength(stream);
      }
    }
    @Nullable BodyRate rate = stream.rate;
    if (rate != null) {
      rate.received(length);
    }
    if (receiveFlow.wantsProbe(now)) {
      receiveFlow.probeSent(now);
      frames.ping(PROBE, false);
    }
  }

  private static Http2Exception wrongLength(Stream stream) {
    return Http2Exception.stream(
        stream.id,
        ErrorCode.PROTOCOL_ERROR,
        "a body does not have its Content-Length (RFC 9113 section 8.1.1)");
  }

  /// Delivers bytes to a waiting reader, or stores them.
  ///
  /// @return true if the exchange has taken the buffer
  private boolean deliver(Stream stream, ByteBuf bytes, int padding) {
    returnCredit(stream, padding);
    @Nullable AbstractExchange exchange = stream.exchange;
    int length = bytes.readableBytes();
    if (length == 0 || exchange == null) {
      return false;
    }
    if (!stream.begun || stream.hasIncoming() || !exchange.wantsBody()) {
      stream.store(bytes, io.allocator());
      return false;
    }
    stream.uncredited += length;
    exchange.deliver(bytes);
    return true;
  }

  /// The peer has ended its direction of a stream.
  final void inputEnded(Stream stream, HttpHeaders trailers) throws Http2Exception {
    if (stream.expected > 0) {
      throw wrongLength(stream);
    }
    stream.trailers = trailers;
    stream.state = stream.state.on(Event.END_RECEIVED);
    @Nullable AbstractExchange exchange = stream.exchange;
    if (exchange == null || exchange.isOver()) {
      exchangeEnded(stream);
      return;
    }
    if (stream.begun && exchange.wantsBody() && !stream.hasIncoming()) {
      deliverEnd(stream, exchange);
    }
  }

  /// Delivers the end of the body.
  void deliverEnd(Stream stream, AbstractExchange exchange) {
    @Nullable HttpHeaders trailers = stream.trailers;
    if (trailers != null) {
      exchange.deliverEnd(trailers);
    }
  }

  /// A frame for a stream that receives nothing.
  final void onClosed(@Nullable Stream stream, int id, Event event) throws Http2Exception {
    if (stream != null) {
      @Nullable Http2Exception refusal = stream.state.refusal(id, event);
      if (refusal != null) {
        throw refusal;
      }
      return;
    }
    if (isIdle(id)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, event + " on the idle stream " + id + " (section 5.1)");
    }
    switch (closedStreams.reason(id)) {
      case RESET_SENT -> {}
      case RESET_RECEIVED ->
          throw Http2Exception.stream(
              id, ErrorCode.STREAM_CLOSED, event + " after RST_STREAM on stream " + id);
      case ENDED ->
          throw Http2Exception.connection(
              ErrorCode.STREAM_CLOSED, event + " after the end of stream " + id);
      case UNKNOWN ->
          throw Http2Exception.connection(
              event == Event.DATA_RECEIVED ? ErrorCode.STREAM_CLOSED : ErrorCode.PROTOCOL_ERROR,
              event + " on stream " + id + ", which is closed or was skipped (section 5.1.1)");
    }
  }

  // ---- frames: header blocks ----

  @Override
  public final void headers(int id, byte[] block, int length, boolean endStream)
      throws Http2Exception {
    requireSettings();
    budgets.progress();
    @Nullable Stream stream = find(id);
    assembler.begin(kind(stream, id));
    decode(block, length);
    headers(stream, id, endStream);
  }

  /// What a header block on a stream is.
  abstract HeadAssembler.Kind kind(@Nullable Stream stream, int id);

  @Override
  public final void malformedHeaders(byte[] block, int length) throws Http2Exception {
    requireSettings();
    assembler.begin(HeadAssembler.Kind.TRAILERS);
    decode(block, length);
  }

  private void decode(byte[] block, int length) throws Http2Exception {
    try {
      decoder.decode(block, 0, length, assembler);
    } catch (HpackException e) {
      throw Http2Exception.connection(ErrorCode.COMPRESSION_ERROR, String.valueOf(e.getMessage()));
    }
  }

  /// Trailers have arrived.
  final void trailers(Stream stream, boolean endStream) throws Http2Exception {
    if (!stream.state.receives()) {
      onClosed(stream, stream.id, Event.HEADERS_RECEIVED);
    }
    if (!endStream) {
      throw malformed(stream.id, "trailers do not end the stream (RFC 9113 section 8.1)");
    }
    checkMessage(stream.id);
    stream.progressed = heard;
    inputEnded(stream, stream.discarding ? HttpHeaders.EMPTY : assembler.fields());
  }

  /// Throws if the decoded message is malformed or too large.
  final void checkMessage(int id) throws Http2Exception {
    @Nullable String fault = assembler.fault();
    if (fault != null) {
      throw malformed(id, fault);
    }
    if (assembler.isTooLarge()) {
      throw Http2Exception.stream(
          id, ErrorCode.ENHANCE_YOUR_CALM, "a head exceeds maxHeadSize or maxFields");
    }
  }

  static Http2Exception malformed(int id, @Nullable String fact) {
    return Http2Exception.stream(
        id, ErrorCode.PROTOCOL_ERROR, fact == null ? "a message is malformed" : fact);
  }

  @Override
  public final void pushPromise(int stream, int promised, byte[] block, int length)
      throws Http2Exception {
    throw Http2Exception.connection(
        ErrorCode.PROTOCOL_ERROR, "a PUSH_PROMISE although push is disabled (section 8.4)");
  }

  // ---- frames: control ----

  private void requireSettings() throws Http2Exception {
    if (!settingsReceived) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS (RFC 9113 section 3.4)");
    }
  }

  @Override
  public final void reset(int id, int code) throws Http2Exception {
    requireSettings();
    @Nullable Stream stream = find(id);
    if (stream == null) {
      if (isIdle(id)) {
        throw Http2Exception.connection(
            ErrorCode.PROTOCOL_ERROR, "RST_STREAM on the idle stream " + id);
      }
      return;
    }
    streamReset(stream, ErrorCode.of(code));
  }

  /// The peer has reset a stream.
  void streamReset(Stream stream, ErrorCode code) throws Http2Exception {
    remove(stream, ClosedStreams.Reason.RESET_RECEIVED);
    @Nullable AbstractExchange exchange = stream.exchange;
    if (exchange != null && stream.begun) {
      exchange.terminated(Outcome.Kind.PEER_RESET, code.resetCode(), null);
    }
  }

  @Override
  public final void setting(int id, long value) throws Http2Exception {
    settingsReceived = true;
    peer.set(id, value, isRemote(2));
  }

  @Override
  public final void settingsEnd() throws Http2Exception {
    settingsReceived = true;
    unwrittenAcks++;
    budgets.settings(heard, unwrittenAcks);
    sendFlow.initialWindow(peer.initialWindow(), streams.values());
    frames.setMaxFrameSize(Math.min(peer.maxFrameSize(), Frames.MIN_MAX_SIZE));
    frames.resizeTable(peer.headerTableSize(settings.streams().headerTable()));
    frames.settingsAck();
    peerSettingsChanged();
  }

  @Override
  public final void settingsAck() throws Http2Exception {
    requireSettings();
    if (settingsAcknowledged) {
      budgets.settings(heard, 0);
      return;
    }
    settingsAcknowledged = true;
    receiveFlow.acknowledged(streams.values());
    decoder.allow(settings.streams().headerTable());
  }

  @Override
  public final void ping(long data) throws Http2Exception {
    requireSettings();
    unwrittenAcks++;
    budgets.ping(heard, unwrittenAcks);
    frames.ping(data, true);
  }

  @Override
  public final void pingAck(long data) throws Http2Exception {
    requireSettings();
    if (data == PROBE) {
      receiveFlow.probeAcknowledged(heard);
    } else if (data == DRAIN_PING) {
      lastStreams();
    } else if (data == KEEP_ALIVE_PING) {
      pingSent = 0;
    }
  }

  @Override
  public void goAway(int lastStream, int code, String debug) throws Http2Exception {
    requireSettings();
  }

  @Override
  public final void windowUpdate(int id, int increment) throws Http2Exception {
    requireSettings();
    budgets.windowUpdate(heard);
    if (id == 0) {
      sendFlow.increased(increment);
      return;
    }
    @Nullable Stream stream = find(id);
    if (stream != null) {
      sendFlow.increased(stream, increment);
    } else if (isIdle(id)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE on the idle stream " + id);
    }
  }

  @Override
  public final void priorityUpdate(int stream, String value) throws Http2Exception {
    requireSettings();
    budgets.ignored(heard);
    @Nullable Stream known = find(stream);
    if (known != null) {
      prioritize(known, value);
    }
  }

  /// Applies a priority (RFC 9218 section 4).
  void prioritize(Stream stream, String value) {}

  @Override
  public final void ignored(int type, int length) throws Http2Exception {
    requireSettings();
    budgets.ignored(heard);
  }

  // ---- requests of exchanges: input ----

  /// A reader of the body waits.
  void bodyWanted(Stream stream) {
    if (stream.removed) {
      return;
    }
    int credit = stream.uncredited;
    stream.uncredited = 0;
    returnCredit(stream, credit);
    if (stream.hasIncoming() || stream.trailers != null) {
      if (!stream.readerWaits) {
        stream.readerWaits = true;
        waitingReaders.add(stream);
        io.resumeSoon();
      }
    } else {
      @Nullable BodyRate rate = stream.rate;
      if (rate == null) {
        rate = new BodyRate();
        stream.rate = rate;
      }
      rate.resume(io.now());
    }
  }

  private void deliverWaiting() {
    for (int i = 0; i < waitingReaders.size(); i++) {
      Stream stream = waitingReaders.get(i);
      stream.readerWaits = false;
      @Nullable AbstractExchange exchange = stream.exchange;
      if (exchange == null || !exchange.wantsBody()) {
        continue;
      }
      if (stream.hasIncoming()) {
        ByteBuf bytes = stream.takeIncoming();
        stream.uncredited = bytes.readableBytes();
        exchange.deliver(bytes);
      } else {
        deliverEnd(stream, exchange);
      }
    }
    waitingReaders.clear();
  }

  /// The reader is finished with bytes, or they were dropped.
  private void returnCredit(Stream stream, int bytes) {
    if (bytes == 0 || stream.removed) {
      return;
    }
    int increment = receiveFlow.consumed(stream, bytes);
    if (increment > 0 && stream.state.receives()) {
      frames.windowUpdate(stream.id, increment);
    }
    flushUnlessReading();
  }

  // ---- requests of exchanges: output ----

  final boolean isWritable(Stream stream) {
    return stream.state.sends()
        && stream.ending == null
        && stream.queued < HIGH_WATER
        && (stream.queued == 0 || io.isWritable());
  }

  /// Queues bytes of a body; takes ownership.
  final void write(Stream stream, ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (!stream.state.sends() || stream.ending != null || length == 0) {
      bytes.release();
      return;
    }
    if (stream.queued + stream.heldBytes > HARD_LIMIT - length) {
      bytes.release();
      throw new IllegalStateException(
          "more than " + HARD_LIMIT + " bytes wait to be sent on stream " + stream.id);
    }
    stream.progressed = io.now();
    stream.add(bytes);
    if (mayCut(stream)) {
      sendFlow.queued(stream, length, false);
      flushUnlessReading();
    } else {
      stream.heldBytes += length;
    }
  }

  /// The end of the body, after what is queued.
  final void end(Stream stream, HttpHeaders trailers) {
    if (stream.state.sends() && stream.ending == null) {
      stream.ending = trailers;
      if (mayCut(stream)) {
        sendFlow.queued(stream, 0, true);
        flushUnlessReading();
      }
    }
  }

  /// False if the body of a stream waits for 100 (Continue).
  boolean mayCut(Stream stream) {
    return true;
  }

  /// Sends what was written while [#mayCut] was false.
  final void release(Stream stream) {
    int held = stream.heldBytes;
    stream.heldBytes = 0;
    if (held > 0 || stream.ending != null) {
      sendFlow.queued(stream, held, stream.ending != null);
      flushUnlessReading();
    }
  }

  /// Writes a whole body that follows its head, as far as possible without queueing.
  final void sendWhole(Stream stream, byte[] content) {
    stream.ending = HttpHeaders.EMPTY;
    if (io.isWritable() && sendFlow.take(stream, content.length)) {
      writeWhole(stream, content);
      endSent(stream);
    } else {
      stream.add(ByteBuf.wrap(content));
      sendFlow.queued(stream, content.length, true);
    }
  }

  private void writeWhole(Stream stream, byte[] content) {
    int max = frames.maxFrameSize();
    for (int at = 0; at < content.length; ) {
      int length = Math.min(max, content.length - at);
      boolean last = at + length == content.length;
      if (length <= OutputBuffer.COPY_LIMIT) {
        frames.data(stream.id, length, last, length).writeBytes(content, at, length);
      } else {
        frames.data(stream.id, length, last, 0);
        frames.payload(ByteBuf.wrap(content, at, length));
      }
      at += length;
    }
  }

  /// Cuts queued bytes of a stream into frames, and ends it if all are sent; called by the
  /// distributor.
  final int send(Stream stream, int allowed) {
    int sent = 0;
    boolean ended = false;
    while (sent < allowed) {
      int length = Math.min(frames.maxFrameSize(), allowed - sent);
      ended = sent + length == stream.queued && endsWithData(stream);
      frames.data(stream.id, length, ended, 0);
      for (int left = length; left > 0; ) {
        ByteBuf piece = stream.takeOutgoing(left);
        left -= piece.readableBytes();
        frames.payload(piece);
      }
      sent += length;
    }
    budgets.dataSent(sent / frames.maxFrameSize() + 1);
    stream.progressed = io.now();
    if (stream.ending != null && sent == stream.queued) {
      if (stream.ending.size() > 0) {
        frames.trailers(stream.id, stream.ending);
      } else if (!ended) {
        frames.data(stream.id, 0, true, 0);
      }
      endSent(stream);
    }
    return sent;
  }

  private static boolean endsWithData(Stream stream) {
    return stream.ending != null && stream.ending.size() == 0;
  }

  // ---- output ----

  final void flushUnlessReading() {
    if (!reading && !processing && closing.interprets()) {
      io.flushLater();
    }
  }

  /// An exchange requests a flush.
  final void flush() {
    if (closing.interprets()) {
      distribute();
      output.flush();
    }
  }

  private void distribute() {
    while (io.isWritable() && sendFlow.distribute(SEND_CHUNK) > 0) {
      // until the windows, the queues or the channel end it
    }
  }

  private void turnEnds() {
    if (!closing.interprets()) {
      return;
    }
    beginArrived();
    if (!closing.interprets()) {
      return;
    }
    int increment = receiveFlow.connectionIncrement();
    if (increment > 0) {
      frames.windowUpdate(0, increment);
    }
    distribute();
    if (output.isPending()) {
      output.flush();
    }
    if (output.unsent() == 0) {
      unwrittenAcks = 0;
    }
    notifyWritable();
    updateTimer();
  }

  /// Streams whose queue has become short while a callback waits for it.
  private void notifyWritable() {
    for (int i = waitingWriters.size() - 1; i >= 0; i--) {
      AbstractExchange exchange = waitingWriters.get(i);
      if (!exchange.awaitsWritability()) {
        waitingWriters.remove(i);
      } else if (exchange.isWritable()) {
        waitingWriters.remove(i);
        exchange.becameWritable();
      }
    }
  }

  /// A callback of the exchange waits until its body is writable.
  final void writabilityAwaited(AbstractExchange exchange) {
    waitingWriters.add(exchange);
  }

  // ---- time ----

  /// When the last frames arrived.
  final long heard() {
    return heard;
  }

  final void updateTimer() {
    if (!closing.interprets()) {
      return;
    }
    long now = io.now();
    long due;
    if (closing == Closing.ANNOUNCED) {
      due = announced + TICK;
    } else if (!settingsReceived || !settingsAcknowledged) {
      due = started + settings.timeouts().head().toNanos();
    } else if (streams.isEmpty()) {
      due = idleSince + settings.timeouts().keepAlive().toNanos();
    } else {
      due = nextTick;
    }
    if (!streams.isEmpty() && due - nextTick > 0) {
      due = nextTick;
    }
    if (!settings.timeouts().maxAge().isZero() && closing == Closing.OPEN) {
      due = Math.min(due, started + settings.timeouts().maxAge().toNanos());
    }
    io.wakeAfter(Math.max(1, due - now));
  }

  /// The time that was requested with [EngineIo#wakeAfter] has passed.
  final void timerFired() {
    if (!closing.interprets()) {
      return;
    }
    long now = io.now();
    Http2Settings.Timeouts timeouts = settings.timeouts();
    if (!(settingsReceived && settingsAcknowledged) && now - started >= timeouts.head().toNanos()) {
      connectionError(
          Http2Exception.connection(
              ErrorCode.SETTINGS_TIMEOUT, "the settings took too long to arrive"));
      return;
    }
    if (closing == Closing.ANNOUNCED && now - announced >= TICK) {
      lastStreams();
    } else if (closing == Closing.OPEN && isTooOld(now, timeouts)) {
      drain();
    }
    if (streams.isEmpty()) {
      if (closing == Closing.OPEN && now - idleSince >= timeouts.keepAlive().toNanos()) {
        frames.goAway(lastRemote(), ErrorCode.NO_ERROR, "");
        finish();
        return;
      }
    } else if (now - nextTick >= 0) {
      nextTick = now + TICK;
      tick(now);
    }
    if (closing.interprets()) {
      turnEnds();
    }
  }

  private boolean isTooOld(long now, Http2Settings.Timeouts timeouts) {
    return !timeouts.maxAge().isZero() && now - started >= timeouts.maxAge().toNanos();
  }

  private void tick(long now) {
    Http2Settings.Timeouts timeouts = settings.timeouts();
    if (pingSent != 0) {
      if (now - pingSent >= timeouts.pingTimeout().toNanos()) {
        LOG.log(System.Logger.Level.DEBUG, "{0} does not acknowledge a ping", io.peer());
        peerGone(null);
        return;
      }
    } else if (!timeouts.pingInterval().isZero()
        && now - heard >= timeouts.pingInterval().toNanos()) {
      pingSent = now;
      frames.ping(KEEP_ALIVE_PING, false);
    }
    for (int key : streams.keys()) {
      @Nullable Stream stream = streams.get(key);
      if (stream != null) {
        check(stream, now);
      }
    }
  }

  private void check(Stream stream, long now) {
    @Nullable AbstractExchange exchange = stream.exchange;
    if (stream.discarding && now - stream.progressed >= DISCARD_TIME) {
      reset(stream, ErrorCode.NO_ERROR);
      return;
    }
    if (exchange == null || exchange.isOver()) {
      if (now - stream.progressed >= settings.exchanges().idleTimeout().toNanos()
          && !settings.exchanges().idleTimeout().isZero()) {
        reset(stream, ErrorCode.CANCEL); // the peer accepts nothing
      }
      return;
    }
    ExchangeLimits limits = exchange.limits();
    BodyRate rate = stream.rate;
    if (rate != null && limits.minReceiveRate() > 0) {
      if (!exchange.wantsBody()) {
        rate.resume(now);
      } else if (rate.isTooSlow(now, limits.minReceiveRate())) {
        timedOut(stream, exchange, "the body came too slowly");
        return;
      }
    }
    if (!limits.idleTimeout().isZero()
        && now - stream.progressed >= limits.idleTimeout().toNanos()) {
      timedOut(stream, exchange, "no progress within the idle timeout");
      return;
    }
    checkDeadlines(stream, exchange, now);
  }

  /// A limit of time has ended an exchange.
  abstract void timedOut(Stream stream, AbstractExchange exchange, String fact);
}
