package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http2.StreamState.Event;
import org.jspecify.annotations.Nullable;

/// Applies the frames of the peer to an engine.
///
/// - The first frame must be SETTINGS (RFC 9113 section 3.4).
/// - A frame on a closed stream is an error, or is ignored, by the reason why the stream was closed
///   (section 5.1).
/// - A control frame is counted before it has an effect ([Budgets]).
///
/// Loop only.
final class ReceivedFrames implements FrameHandler {

  private final Http2Engine engine;
  private final HpackDecoder decoder = new HpackDecoder(PeerSettings.DEFAULT_TABLE);

  /// Null while the connection is idle.
  private @Nullable HeadAssembler assembler;

  /// The peer's first SETTINGS frame has arrived.
  private boolean settingsReceived;

  private boolean settingsAcknowledged;

  /// Null while all acknowledgements are sent, as on an idle connection.
  private @Nullable UnwrittenAcks unwrittenAcks;

  ReceivedFrames(Http2Engine engine) {
    this.engine = engine;
  }

  /// True if the peer's settings have arrived and the peer has acknowledged ours.
  boolean isSetUp() {
    return settingsReceived && settingsAcknowledged;
  }

  /// How far the settings were exchanged.
  Http2Status.Phase phase() {
    if (!settingsReceived) {
      return Http2Status.Phase.NOTHING_RECEIVED;
    }
    return settingsAcknowledged ? Http2Status.Phase.ACKNOWLEDGED : Http2Status.Phase.UNACKNOWLEDGED;
  }

  /// The connection has flushed its output.
  void flushed() {
    @Nullable UnwrittenAcks acks = unwrittenAcks;
    if (acks != null) {
      acks.sent(engine.output.written(), engine.output.unsent());
      if (acks.isEmpty()) {
        unwrittenAcks = null;
      }
    }
  }

  private UnwrittenAcks unwrittenAcks() {
    if (unwrittenAcks == null) {
      unwrittenAcks = new UnwrittenAcks();
    }
    return unwrittenAcks;
  }

  /// Releases memory that makes the next header block cheap.
  void trim() {
    assembler = null;
    decoder.trim();
  }

  // ---- frames: DATA ----

  @Override
  public void data(int id, ByteBuf bytes, int padding, boolean endStream) throws Http2Exception {
    if (!settingsReceived) {
      bytes.release();
    }
    requireSettings();
    engine.bodiesIn.data(id, bytes, padding, endStream);
  }

  /// A frame for a stream that receives nothing.
  void onClosed(@Nullable Stream stream, int id, Event event) throws Http2Exception {
    if (stream != null) {
      @Nullable Http2Exception refusal = stream.state.refusal(id, event);
      if (refusal != null) {
        throw refusal;
      }
      return;
    }
    if (engine.isIdle(id)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, event + " on the idle stream " + id + " (section 5.1)");
    }
    switch (engine.closeReason(id)) {
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
  public void headers(int id, byte[] block, int length, boolean endStream) throws Http2Exception {
    requireSettings();
    engine.budgets.progress();
    @Nullable Stream stream = engine.find(id);
    HeadAssembler.Kind kind = engine.kind(stream, id);
    if (kind != assembler().kind()
        || assembler().fault() != null // it may belong to the end of the stream, not to the block
        || !decoder.repeats(block, 0, length)) {
      assembler().begin(kind);
      decode(block, length);
    }
    engine.headers(stream, id, endStream);
  }

  @Override
  public void malformedHeaders(byte[] block, int length) throws Http2Exception {
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
  void trailers(Stream stream, boolean endStream) throws Http2Exception {
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
    stream.progressed = engine.heard();
    engine.bodiesIn.ended(stream, stream.discarding ? HttpHeaders.EMPTY : assembler().fields());
  }

  /// Throws if the decoded message is malformed or too large.
  void checkMessage(int id) throws Http2Exception {
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
  public void pushPromise(int stream, int promised, byte[] block, int length)
      throws Http2Exception {
    requireSettings();
    if (engine.acceptsPush()) {
      assembler().begin(HeadAssembler.Kind.REQUEST);
      decode(block, length);
    }
    engine.promised(stream, promised);
  }

  // ---- frames: control ----

  private void requireSettings() throws Http2Exception {
    if (!settingsReceived) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS (RFC 9113 section 3.4)");
    }
  }

  @Override
  public void reset(int id, int code) throws Http2Exception {
    requireSettings();
    @Nullable Stream stream = engine.find(id);
    if (stream == null) {
      if (engine.isIdle(id)) {
        throw Http2Exception.connection(
            ErrorCode.PROTOCOL_ERROR, "RST_STREAM on the idle stream " + id);
      }
      return;
    }
    engine.streamReset(stream, ErrorCode.of(code));
  }

  @Override
  public void setting(int id, long value) throws Http2Exception {
    settingsReceived = true;
    engine.peer.set(id, value, engine.isRemote(2));
  }

  @Override
  public void settingsEnd() throws Http2Exception {
    settingsReceived = true;
    UnwrittenAcks acks = unwrittenAcks();
    engine.budgets.settings(engine.heard(), acks.count());
    acks.add();
    applySettings();
    engine.frames.settingsAck();
    engine.peerSettingsChanged();
  }

  /// Applies the values of [PeerSettings].
  void applySettings() throws Http2Exception {
    engine.sendFlow.initialWindow(engine.peer.initialWindow(), engine.streams.values());
    engine.frames.setMaxFrameSize(Math.min(engine.peer.maxFrameSize(), Frames.MIN_MAX_SIZE));
    engine.frames.resizeTable(engine.peer.headerTableSize(engine.settings.streams().headerTable()));
  }

  @Override
  public void settingsAck() throws Http2Exception {
    requireSettings();
    if (settingsAcknowledged) {
      engine.budgets.settings(engine.heard(), 0);
      return;
    }
    settingsAcknowledged = true;
    engine.receiveFlow.acknowledged(engine.streams.values());
    decoder.allow(engine.settings.streams().headerTable());
  }

  /// A change from HTTP/1.1 has acknowledged our settings (RFC 7540 section 3.2.1): the peer may
  /// use a larger table at once. A smaller one is required from the acknowledgement in a frame on,
  /// because a peer may read the frame only.
  void changedFromHttp1() {
    decoder.allow(Math.max(PeerSettings.DEFAULT_TABLE, engine.settings.streams().headerTable()));
    engine.receiveFlow.acknowledged(engine.streams.values());
  }

  @Override
  public void ping(long data) throws Http2Exception {
    requireSettings();
    UnwrittenAcks acks = unwrittenAcks();
    engine.budgets.ping(engine.heard(), acks.count());
    acks.add();
    engine.frames.ping(data, true);
  }

  @Override
  public void pingAck(long data) throws Http2Exception {
    requireSettings();
    if (data == Http2Engine.PROBE) {
      engine.receiveFlow.probeAcknowledged(engine.heard());
    } else if (data == Http2Engine.DRAIN_PING) {
      engine.lastStreams();
    } else if (data == Http2Engine.KEEP_ALIVE_PING) {
      engine.deadlines.pingAcknowledged();
    }
  }

  @Override
  public void goAway(int lastStream, int code, String debug) throws Http2Exception {
    requireSettings();
    engine.goAway(lastStream, code, debug);
  }

  @Override
  public void windowUpdate(int id, int increment) throws Http2Exception {
    requireSettings();
    engine.budgets.windowUpdate(engine.heard());
    if (id == 0) {
      engine.sendFlow.increased(increment);
      return;
    }
    @Nullable Stream stream = engine.find(id);
    if (stream != null) {
      engine.sendFlow.increased(stream, increment);
    } else if (engine.isIdle(id)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE on the idle stream " + id);
    }
  }

  @Override
  public void priorityUpdate(int stream, String value) throws Http2Exception {
    requireSettings();
    engine.budgets.ignored(engine.heard());
    @Nullable Stream known = engine.find(stream);
    if (known != null) {
      engine.prioritize(known, value);
    }
  }

  @Override
  public void ignored(int type, int length) throws Http2Exception {
    requireSettings();
    engine.budgets.ignored(engine.heard());
  }

  HeadAssembler assembler() {
    @Nullable HeadAssembler current = assembler;
    if (current == null) {
      Http2Settings.StreamLimits limits = engine.settings.streams();
      current = new HeadAssembler(limits.maxHeadSize(), limits.maxFields(), engine.io.isSecure());
      assembler = current;
    }
    return current;
  }
}
