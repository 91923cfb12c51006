package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.EngineIo;
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
abstract sealed class Http2Engine permits Http2ServerEngine, Http2ClientEngine {

  static final System.Logger LOG = System.getLogger(Http2Engine.class.getName());

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  static final long PROBE = 0x7177_6264_7000_0000L;
  static final long DRAIN_PING = PROBE + 1;
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

  private final FrameInput input;
  final ReceivedFrames received;
  final Streams streams = new Streams();
  final BodyInput bodiesIn;
  final BodyOutput bodiesOut;
  final Deadlines deadlines;

  Closing closing = Closing.OPEN;

  /// A batch of reads has begun; its end flushes.
  private boolean reading;

  private boolean inputEnded;

  /// Streams that were refused or reset because of what the peer sent; null until the first one.
  private @Nullable UnwrittenAcks unwrittenRefusals;

  /// @param trips counts exceeded budgets of several connections
  Http2Engine(Http2Settings settings, Http2Io io, @Nullable BudgetTrips trips) {
    this.settings = settings;
    this.io = io;
    this.output = new OutputBuffer(io);
    this.frames = new FrameOutput(output, 4096);
    this.sendFlow = new SendFlow(new UniformDistributor(), PeerSettings.DEFAULT_WINDOW);
    this.receiveFlow = new ReceiveFlow(PeerSettings.DEFAULT_WINDOW, settings.windows());
    this.budgets = new Budgets(settings.budgets(), trips);
    this.received = new ReceivedFrames(this);
    this.input = new FrameInput(this, received);
    this.bodiesIn = new BodyInput(this);
    this.bodiesOut = new BodyOutput(this);
    this.deadlines = new Deadlines(this);
  }

  // ---- what a side provides ----

  /// A header block that opens a stream or follows on one.
  abstract void headers(@Nullable Stream stream, int id, boolean endStream) throws Http2Exception;

  /// What a header block on a stream is.
  abstract HeadAssembler.Kind kind(@Nullable Stream stream, int id);

  /// True if the peer opens streams with this id.
  abstract boolean isRemote(int id);

  /// True if no stream with this id was opened.
  abstract boolean isIdle(int id);

  /// What is sent first, up to the settings.
  abstract void writePreface();

  /// The settings that are sent first: ids and values.
  abstract long[] ownSettings();

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

  /// True if the body of a stream must arrive at the minimum rate.
  boolean checksReceiveRate(Stream stream) {
    return true;
  }

  /// The peer accepts no stream above `lastStream`.
  void goAway(int lastStream, int code, String debug) {}

  /// True if the peer may promise responses.
  boolean acceptsPush() {
    return false;
  }

  /// The peer promises a response, whose request was decoded.
  ///
  /// @param on the stream of the frame
  /// @param id the promised stream
  void promised(int on, int id) throws Http2Exception {
    throw Http2Exception.connection(
        ErrorCode.PROTOCOL_ERROR, "a PUSH_PROMISE although push is disabled (section 8.4)");
  }

  /// Why a stream that is not open was closed.
  ClosedStreams.Reason closeReason(int id) {
    return streams.closeReason(id);
  }

  /// The limits of the peer have changed.
  void peerSettingsChanged() {}

  // ---- events of the connection ----

  /// The connection is open.
  final void start() {
    deadlines.start();
    writePreface();
    frames.settings(ownSettings());
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
    input.receive(bytes);
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
    if (input.isYielded() && closing.interprets()) {
      beginArrived();
      reading = true;
      input.resume();
      reading = false;
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
    input.releaseIfClosed();
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

  /// Ends the exchanges of our streams above `last`, which the peer has not processed.
  final void refuseAbove(int last) {
    streams.forEach(stream -> {
      if ((stream.id > last || stream.id < 0) && !isRemote(stream.id)) {
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

  /// Releases memory that makes the next request cheap. The connection has no stream.
  final void trim() {
    bodiesIn.trim();
    bodiesOut.trim();
    input.trim();
    received.trim();
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

  final void violated(Http2Exception e) {
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
    @Nullable String budget = budgets.budgetOf(e);
    LOG.log(
        System.Logger.Level.INFO,
        "{0} is disconnected with {1}: {2}{3}",
        io.peer(),
        e.code(),
        e.getMessage(),
        budget == null ? "" : ", limited by " + budget);
    frames.goAway(lastRemote(), e.code(), String.valueOf(e.getMessage()));
    closing = Closing.LAST_STREAMS; // a callback for the end opens no exchange here
    terminateAll(Outcome.Kind.RESET, e.code().resetCode(), e);
    if (closing == Closing.LAST_STREAMS) {
      finish();
      io.wakeAfter(settings.budgets().linger().timeout().toNanos());
    }
  }

  /// Sends what is queued and closes.
  final void finish() {
    if (closing == Closing.CLOSING || closing == Closing.CLOSED) {
      return;
    }
    closing = Closing.CLOSING;
    input.releaseIfClosed();
    io.holdInput(false); // the lingering close reads
    output.flush();
    BudgetSettings.Linger linger = settings.budgets().linger();
    io.closeGracefully(linger.timeout(), (long) receiveFlow.window() + linger.bytes());
    io.wakeAfter(EngineIo.NEVER);
  }

  /// The peer has sent more bytes after the last frame than the engine drops.
  final void lingerExceeded() {
    budgets.lingerExceeded("bytes");
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
    notifyDrain();
    flushUnlessReading();
    updateTimer();
  }

  /// Notifies the exchanges and tunnels that the connection drains.
  final void notifyDrain() {
    streams.forEach(stream -> {
      if (stream.exchange != null) {
        stream.exchange.drainBegins();
      }
      if (stream.tunnel != null) {
        stream.tunnel.drainBegins();
      }
    });
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

  // ---- what frames cause ----

  /// Delivers the end of the body.
  void deliverEnd(Stream stream, AbstractExchange exchange) {
    @Nullable HttpHeaders trailers = stream.trailers;
    if (trailers != null) {
      exchange.deliverEnd(trailers);
    }
  }

  /// The peer has reset a stream.
  void streamReset(Stream stream, ErrorCode code) throws Http2Exception {
    remove(stream, ClosedStreams.Reason.RESET_RECEIVED);
    if (stream.begun) {
      notifyEnd(stream, Outcome.Kind.PEER_RESET, code.resetCode(), null);
    }
  }

  /// Applies a priority of the peer.
  void prioritize(Stream stream, String value) {
    int priority = Priority.parse(value);
    sendFlow.prioritize(stream, Priority.urgency(priority), Priority.isIncremental(priority));
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
      if (isDraining() && stream.tunnel != null) {
        stream.tunnel.drainBegins();
      }
    }
  }

  // ---- output ----

  final void flushUnlessReading() {
    if (!reading && !input.isProcessing() && closing.interprets()) {
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
    received.flushed();
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

  /// True if the peer's settings have arrived and the peer has acknowledged ours.
  final boolean isSetUp() {
    return received.isSetUp();
  }

  final void updateTimer() {
    deadlines.update();
  }

  /// Does nothing during a batch of reads, whose end updates the timer.
  final void updateTimerUnlessReading() {
    if (!reading) {
      deadlines.update();
    }
  }

  /// The time that was requested with [EngineIo#wakeAfter] has passed.
  final void timerFired() {
    if (closing.interprets()) {
      deadlines.fired();
    } else if (closing == Closing.CLOSING && io.pendingBytes() > 0) {
      budgets.lingerExceeded("timeout");
      io.close();
    }
  }

  /// A limit of time has ended an exchange.
  abstract void timedOut(Stream stream, AbstractExchange exchange, String fact);
}
