package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.EngineIo;
import dev.quickwater.http.engine.InputBuffer;
import dev.quickwater.http.engine.OutputBuffer;
import dev.quickwater.http2.StreamState.Event;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
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
/// - A turn of the loop interprets a bounded number of frames.
/// - Streams are checked for progress once a second while there are any.
///
/// Loop only.
abstract sealed class Http2Engine implements FrameHandler
    permits Http2ServerEngine, Http2ClientEngine {

  static final System.Logger LOG = System.getLogger(Http2Engine.class.getName());

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private static final int MAX_CONTINUATIONS = 16;

  static final long PROBE = 0x7177_6264_7000_0000L;
  private static final long DRAIN_PING = PROBE + 1;
  static final long KEEP_ALIVE_PING = PROBE + 2;

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

  /// Null while the connection is idle.
  private @Nullable HeadAssembler assembler;

  private final InputBuffer input = new InputBuffer();
  private final FrameReader reader;
  private final HpackDecoder decoder;
  final Streams streams = new Streams();
  final BodyInput bodiesIn;
  final BodyOutput bodiesOut;
  private final Deadlines deadlines;

  Closing closing = Closing.OPEN;

  /// The stack is inside of [#process].
  private boolean processing;

  /// A batch of reads has begun; its end flushes.
  private boolean reading;

  private boolean inputEnded;

  /// Received frames wait for the loop's next turn.
  private boolean inputYielded;

  /// The peer's first SETTINGS frame has arrived.
  private boolean settingsReceived;

  private boolean settingsAcknowledged;

  private final UnwrittenAcks unwrittenAcks = new UnwrittenAcks();

  /// Streams that were refused or reset because of what the peer sent; null until the first one.
  private @Nullable UnwrittenAcks unwrittenRefusals;

  Http2Engine(Http2Settings settings, Http2Io io, Distributor distributor) {
    this.settings = settings;
    this.io = io;
    this.output = new OutputBuffer(io);
    this.frames = new FrameOutput(output, 4096);
    this.sendFlow = new SendFlow(distributor, PeerSettings.DEFAULT_WINDOW);
    this.receiveFlow = new ReceiveFlow(PeerSettings.DEFAULT_WINDOW, settings.windows());
    this.budgets = new Budgets(settings.budgets());
    Http2Settings.StreamLimits limits = settings.streams();
    this.reader =
        new FrameReader(this, Frames.MIN_MAX_SIZE, 2 * limits.maxHeadSize(), MAX_CONTINUATIONS);
    this.decoder = new HpackDecoder(4096);
    this.bodiesIn = new BodyInput(this);
    this.bodiesOut = new BodyOutput(this);
    this.deadlines = new Deadlines(this);
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

  /// False if the body of a stream waits for 100 (Continue).
  boolean mayCut(Stream stream) {
    return true;
  }

  /// The limits of the peer have changed.
  void peerSettingsChanged() {}

  // ---- events of the connection ----

  /// The connection is open.
  final void start() {
    deadlines.start();
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
    deadlines.hear();
    try {
      while (closing.interprets() && mayRead() && readFrame()) {
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
    deadlines.insideBlock(reader.isInsideBlock());
  }

  /// True if another frame may be interpreted in this turn of the loop. The rest waits for the next
  /// turn, and the peer is not read before.
  private boolean mayRead() {
    if (inputYielded || input.isEmpty()) {
      return false;
    }
    if (!io.takeUnit()) {
      inputYielded = true;
      io.holdInput(true);
      io.resumeLater();
    }
    return !inputYielded;
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
    bodiesIn.deliverWaiting();
    flushUnlessReading();
  }

  /// A further turn of the loop has begun.
  final void continueTurn() {
    nextTurn();
    if (inputYielded && closing.interprets()) {
      beginArrived();
      inputYielded = false;
      reading = true;
      process();
      reading = false;
      if (!inputYielded) {
        io.holdInput(false);
      }
    }
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

  final void peerGone(@Nullable Throwable cause) {
    boolean open = closing != Closing.CLOSED;
    closing = Closing.CLOSED;
    detachComplete();
    terminateAll(Outcome.Kind.PEER_GONE, ResetCode.CANCEL, cause);
    release();
    if (open) {
      io.close();
    }
  }

  /// Streams whose message is complete are read to their end, within the idle timeout.
  private void detachComplete() {
    streams.forEach(stream -> {
      if (isComplete(stream)) {
        stream.detach();
        remove(stream, ClosedStreams.Reason.ENDED);
        endLater(stream.exchange);
      }
    });
  }

  private void endLater(@Nullable AbstractExchange exchange) {
    if (exchange == null || exchange.limits().idleTimeout().isZero()) {
      return;
    }
    Runnable end = () -> exchange.terminated(Outcome.Kind.PEER_GONE, ResetCode.CANCEL, null);
    try {
      io.loop().schedule(end, exchange.limits().idleTimeout());
    } catch (RejectedExecutionException _) {
      end.run(); // the loop ends
    }
  }

  /// True if the exchange of a stream can be completed without the connection. What it still sends
  /// is dropped.
  boolean isComplete(Stream stream) {
    return false;
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
    while (!streams.isEmpty()) { // a callback may give a stream another key
      streams.forEach(stream -> terminate(stream, kind, code, cause));
    }
  }

  /// Ends the exchanges of streams above `last`, which the peer has not processed.
  final void refuseAbove(int last) {
    streams.forEach(stream -> {
      if (stream.id > last || stream.id < 0) {
        terminate(stream, Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null);
      }
    });
  }

  final void terminate(
      Stream stream, Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    remove(stream, ClosedStreams.Reason.RESET_SENT);
    notifyEnd(stream, kind, code, cause);
  }

  /// Notifies the exchange or the tunnel of a stream that has ended early.
  private static void notifyEnd(
      Stream stream, Outcome.Kind kind, ResetCode code, @Nullable Throwable cause) {
    @Nullable AbstractExchange exchange = stream.exchange;
    if (exchange != null) {
      exchange.terminated(kind, code, cause);
    }
    @Nullable StreamChannelIo tunnel = stream.tunnel;
    if (tunnel != null) {
      String fact =
          switch (kind) {
            case PEER_RESET -> "the peer has reset the stream with " + code;
            case PEER_GONE -> "the connection of the tunnel has closed";
            default -> "the stream was reset with " + code;
          };
      tunnel.failed(new IOException(fact, cause));
    }
  }

  // ---- streams ----

  final HeadAssembler assembler() {
    @Nullable HeadAssembler current = assembler;
    if (current == null) {
      Http2Settings.StreamLimits limits = settings.streams();
      current = new HeadAssembler(limits.maxHeadSize(), limits.maxFields(), false);
      assembler = current;
    }
    return current;
  }

  /// Releases memory that makes the next request cheap. The connection has no stream.
  final void trim() {
    assembler = null;
    bodiesIn.trim();
    bodiesOut.trim();
    reader.trim();
    decoder.trim();
    frames.trim();
    budgets.trim(io.now());
    if (unwrittenRefusals != null && unwrittenRefusals.count() == 0) {
      unwrittenRefusals = null;
    }
  }

  final @Nullable Stream find(int id) {
    return streams.find(id);
  }

  final int streamCount() {
    return streams.size();
  }

  final Stream open(int id) {
    Stream stream = new Stream(this, id);
    stream.progressed = io.now();
    streams.add(stream);
    deadlines.busy();
    sendFlow.open(stream);
    receiveFlow.open(stream);
    return stream;
  }

  /// Gives a stream another id.
  final void renumber(Stream stream, int id) {
    streams.renumber(stream, id);
  }

  /// Removes a stream and releases what it holds. The exchange is not notified.
  final void remove(Stream stream, ClosedStreams.Reason reason) {
    if (stream.removed) {
      return;
    }
    stream.removed = true;
    stream.state = StreamState.CLOSED;
    streams.remove(stream, reason);
    sendFlow.dropped(stream);
    receiveFlow.discarded(stream, stream.unread);
    receiveFlow.closed(stream);
    budgets.fieldsReleased(stream.fieldBytes);
    stream.release();
    if (streams.isEmpty()) {
      deadlines.idle();
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
    if (stream.detached) {
      stream.detached = false;
      stream.release();
      return;
    }
    if (stream.tunnel != null) {
      stream.tunnel.directionEnded();
      return;
    }
    if (stream.state == StreamState.CLOSED) {
      remove(stream, ClosedStreams.Reason.ENDED);
    } else if (stream.state == StreamState.HALF_CLOSED_LOCAL) {
      bodiesIn.discard(stream);
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
    @Nullable Stream stream = find(e.stream());
    try {
      refusalCaused();
      if (e.code() != ErrorCode.REFUSED_STREAM) {
        budgets.streamReset(heard());
        if (stream == null) {
          budgets.ignored(heard());
        }
      }
    } catch (Http2Exception worse) {
      connectionError(worse);
      return;
    }
    LOG.log(System.Logger.Level.DEBUG, "{0} violated HTTP/2: {1}", io.peer(), e.getMessage());
    if (stream == null) {
      streams.resetSent(e.stream());
      frames.reset(e.stream(), e.code());
      return;
    }
    reset(stream, e.code());
    notifyEnd(stream, Outcome.Kind.RESET, e.code().resetCode(), e);
  }

  /// The peer has caused an answer that no handler makes.
  final void refusalCaused() throws Http2Exception {
    @Nullable UnwrittenAcks refusals = unwrittenRefusals;
    if (refusals == null) {
      refusals = new UnwrittenAcks();
      unwrittenRefusals = refusals;
    }
    budgets.refusal(refusals.count());
    refusals.add();
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
    closing = Closing.LAST_STREAMS; // a callback for the end opens no exchange here
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
    io.holdInput(false); // the lingering close reads
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
    deadlines.drainAnnounced();
    frames.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "");
    frames.ping(DRAIN_PING, false);
    streams.forEach(stream -> {
      if (stream.exchange != null) {
        stream.exchange.drainBegins();
      }
    });
    flushUnlessReading();
    updateTimer();
  }

  final boolean isDraining() {
    return closing != Closing.OPEN;
  }

  /// Sends the final GOAWAY.
  final void lastStreams() {
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
    if (!settingsReceived) {
      bytes.release();
    }
    requireSettings();
    bodiesIn.data(id, bytes, padding, endStream);
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
    switch (streams.closeReason(id)) {
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
    HeadAssembler.Kind kind = kind(stream, id);
    if (kind != assembler().kind()
        || assembler().fault() != null // it may belong to the end of the stream, not to the block
        || !decoder.repeats(block, 0, length)) {
      assembler().begin(kind);
      decode(block, length);
    }
    headers(stream, id, endStream);
  }

  /// What a header block on a stream is.
  abstract HeadAssembler.Kind kind(@Nullable Stream stream, int id);

  @Override
  public final void malformedHeaders(byte[] block, int length) throws Http2Exception {
    requireSettings();
    assembler().begin(HeadAssembler.Kind.TRAILERS);
    decode(block, length);
  }

  private void decode(byte[] block, int length) throws Http2Exception {
    try {
      decoder.decode(block, 0, length, assembler());
    } catch (HpackException e) {
      throw Http2Exception.connection(ErrorCode.COMPRESSION_ERROR, String.valueOf(e.getMessage()));
    }
  }

  /// Trailers have arrived.
  final void trailers(Stream stream, boolean endStream) throws Http2Exception {
    if (!stream.state.receives()) {
      onClosed(stream, stream.id, Event.HEADERS_RECEIVED);
    }
    if (stream.tunnel != null) {
      throw malformed(stream.id, "a header block in a tunnel (RFC 9113 section 8.5)");
    }
    if (!endStream) {
      throw malformed(stream.id, "trailers do not end the stream (RFC 9113 section 8.1)");
    }
    checkMessage(stream.id);
    stream.progressed = heard();
    bodiesIn.ended(stream, stream.discarding ? HttpHeaders.EMPTY : assembler().fields());
  }

  /// Throws if the decoded message is malformed or too large.
  final void checkMessage(int id) throws Http2Exception {
    @Nullable String fault = assembler().fault();
    if (fault != null) {
      throw malformed(id, fault);
    }
    if (assembler().isTooLarge()) {
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
    if (stream.begun) {
      notifyEnd(stream, Outcome.Kind.PEER_RESET, code.resetCode(), null);
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
    budgets.settings(heard(), unwrittenAcks.count());
    unwrittenAcks.add();
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
      budgets.settings(heard(), 0);
      return;
    }
    settingsAcknowledged = true;
    receiveFlow.acknowledged(streams.values());
    decoder.allow(settings.streams().headerTable());
  }

  @Override
  public final void ping(long data) throws Http2Exception {
    requireSettings();
    budgets.ping(heard(), unwrittenAcks.count());
    unwrittenAcks.add();
    frames.ping(data, true);
  }

  @Override
  public final void pingAck(long data) throws Http2Exception {
    requireSettings();
    if (data == PROBE) {
      receiveFlow.probeAcknowledged(heard());
    } else if (data == DRAIN_PING) {
      lastStreams();
    } else if (data == KEEP_ALIVE_PING) {
      deadlines.pingAcknowledged();
    }
  }

  @Override
  public void goAway(int lastStream, int code, String debug) throws Http2Exception {
    requireSettings();
  }

  @Override
  public final void windowUpdate(int id, int increment) throws Http2Exception {
    requireSettings();
    budgets.windowUpdate(heard());
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
    budgets.ignored(heard());
    @Nullable Stream known = find(stream);
    if (known != null) {
      prioritize(known, value);
    }
  }

  /// Applies a priority of the peer.
  void prioritize(Stream stream, String value) {
    int priority = Priority.parse(value);
    sendFlow.prioritize(stream, Priority.urgency(priority), Priority.isIncremental(priority));
  }

  @Override
  public final void ignored(int type, int length) throws Http2Exception {
    requireSettings();
    budgets.ignored(heard());
  }

  // ---- tunnels ----

  /// Makes a stream, on which the heads were exchanged, the channel of a tunnel.
  final void openTunnel(Stream stream, ChannelInitializer initializer) {
    if (!stream.removed) {
      stream.expected = -1;
      stream.rate = null;
      stream.exchange = null; // a tunnel may be open for days, the head has no further use
      budgets.fieldsReleased(stream.fieldBytes);
      stream.fieldBytes = 0;
      StreamChannelIo.open(this, stream, initializer);
    }
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
      bodiesOut.distribute();
      output.flush();
    }
  }

  final void turnEnds() {
    if (!closing.interprets()) {
      return;
    }
    announceCredit();
    // Before exchanges begin: heads need no window, and would leave no room for older bodies.
    bodiesOut.distribute();
    beginArrived();
    if (!closing.interprets()) {
      return;
    }
    announceCredit();
    bodiesOut.distribute();
    if (output.isPending()) {
      output.flush();
    }
    unwrittenAcks.sent(output.written(), output.unsent());
    @Nullable UnwrittenAcks refusals = unwrittenRefusals;
    if (refusals != null) {
      refusals.sent(output.written(), output.unsent());
    }
    bodiesOut.notifyWritable();
    updateTimer();
  }

  private void announceCredit() {
    int increment = receiveFlow.connectionIncrement();
    if (increment > 0) {
      frames.windowUpdate(0, increment);
    }
  }

  // ---- time ----

  /// When the last frames arrived.
  final long heard() {
    return deadlines.heard();
  }

  /// True if the settings of both sides are known to both sides.
  final boolean isSetUp() {
    return settingsReceived && settingsAcknowledged;
  }

  final void updateTimer() {
    deadlines.update();
  }

  /// The time that was requested with [EngineIo#wakeAfter] has passed.
  final void timerFired() {
    if (closing.interprets()) {
      deadlines.fired();
    }
  }

  /// A limit of time has ended an exchange.
  abstract void timedOut(Stream stream, AbstractExchange exchange, String fact);
}
