package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http2.StreamState.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bodies that this side receives on the streams of a connection.
///
/// - A waiting reader receives bytes as they arrive. Without a waiting reader the stream stores
///   them.
/// - The credit of delivered bytes returns with the next read, that of dropped bytes at once.
/// - The announced length must match the received bytes (RFC 9113 section 8.1.1).
/// - After the response, the rest of the request is dropped. Above a limit the stream is reset with
///   NO_ERROR (section 8.1).
///
/// Loop only.
final class BodyInput {

  /// Bytes below which a DATA frame that does not end its stream counts as small.
  private static final int SMALL = 64;

  private static final int SMALL_UNITS = 4;

  private static final List<Stream> NONE = List.of();

  private final Http2Engine engine;
  private final FrameOutput frames;
  private final ReceiveFlow flow;

  /// Streams with stored bytes and a waiting reader. The next task delivers the bytes.
  private List<Stream> waiting = NONE;

  BodyInput(Http2Engine engine) {
    this.engine = engine;
    this.frames = engine.frames;
    this.flow = engine.receiveFlow;
  }

  /// A part of a DATA frame, see [FrameHandler#data].
  void data(int id, ByteBuf bytes, int padding, boolean endStream) throws Http2Exception {
    boolean taken = false;
    try {
      int length = bytes.readableBytes();
      @Nullable Stream stream = engine.find(id);
      if (stream == null || !stream.state.receives()) {
        flow.receivedUnknown(length + padding);
        engine.received.onClosed(stream, id, Event.DATA_RECEIVED);
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
        ended(stream, HttpHeaders.EMPTY);
      }
    } finally {
      if (!taken) {
        bytes.release();
      }
    }
  }

  private void count(Stream stream, int length, int padding, boolean endStream)
      throws Http2Exception {
    if (!engine.mayHaveBody(stream)) {
      throw Http2Exception.stream(
          stream.id, ErrorCode.PROTOCOL_ERROR, "DATA precedes the head of its message");
    }
    long now = engine.heard();
    flow.received(stream, length + padding);
    if (length > 0) {
      engine.budgets.progress();
      if (length < SMALL && !endStream) {
        takeMoreUnits();
      }
      stream.progressed = now;
    } else if (!endStream) {
      engine.budgets.emptyData(now);
    }
    if (stream.expected >= 0) {
      stream.expected -= length;
      if (stream.expected < 0) {
        throw wrongLength(stream);
      }
    }
    @Nullable BodyRate rate = stream.rate;
    if (rate != null) {
      rate.add(length);
    }
    if (flow.wantsProbe(now)) {
      flow.probeSent(now);
      frames.ping(Http2Engine.PROBE, false);
    }
  }

  /// A reader costs the same for a byte as for a kilobyte, so a frame of a few bytes takes as much
  /// of the turn's budget as [#SMALL_UNITS] others.
  private void takeMoreUnits() {
    for (int i = 1; i < SMALL_UNITS; i++) {
      boolean _ = engine.io.takeUnit(); // the next frame waits if there is none
    }
  }

  private static Http2Exception wrongLength(Stream stream) {
    return Http2Exception.stream(
        stream.id,
        ErrorCode.PROTOCOL_ERROR,
        "the length of a body differs from its Content-Length (RFC 9113 section 8.1.1)");
  }

  /// Delivers bytes to a waiting reader, or stores them.
  ///
  /// @return true if the exchange or the tunnel took ownership of the buffer
  private boolean deliver(Stream stream, ByteBuf bytes, int padding) {
    returnCredit(stream, padding);
    int length = bytes.readableBytes();
    if (stream.tunnel != null && length > 0) {
      stream.tunnel.received(bytes);
      return true;
    }
    @Nullable AbstractExchange exchange = stream.exchange;
    if (length == 0 || exchange == null) {
      return false;
    }
    if (!stream.begun || stream.hasIncoming() || !exchange.wantsBody()) {
      stream.store(bytes, engine.io.allocator());
      return false;
    }
    stream.uncredited += length;
    exchange.deliver(bytes);
    return true;
  }

  /// The peer has ended its direction of a stream.
  void ended(Stream stream, HttpHeaders trailers) throws Http2Exception {
    if (stream.expected > 0) {
      throw wrongLength(stream);
    }
    stream.trailers = trailers;
    stream.state = stream.state.on(Event.END_RECEIVED);
    @Nullable AbstractExchange exchange = stream.exchange;
    if (exchange == null || exchange.isOver()) {
      engine.exchangeEnded(stream);
      return;
    }
    if (stream.begun && exchange.wantsBody() && !stream.hasIncoming()) {
      engine.deliverEnd(stream, exchange);
    }
  }

  /// Drops everything that the peer still sends on a stream.
  void discard(Stream stream) {
    if (!stream.discarding) {
      stream.discarding = true;
      stream.progressed = engine.io.now();
      int unread = stream.unread;
      if (stream.hasIncoming()) {
        stream.takeIncoming().release();
      }
      dropped(stream, unread);
    }
  }

  private void dropped(Stream stream, int bytes) {
    stream.discarded += bytes;
    if (stream.discarded > engine.settings.streams().maxDiscard()) {
      engine.reset(stream, ErrorCode.NO_ERROR);
    } else {
      returnCredit(stream, bytes);
    }
  }

  /// A reader of the body waits.
  void wanted(Stream stream) {
    if (stream.removed && !stream.detached) {
      return;
    }
    int credit = stream.uncredited;
    stream.uncredited = 0;
    returnCredit(stream, credit);
    if (stream.hasIncoming() || stream.trailers != null) {
      if (!stream.readerWaits) {
        stream.readerWaits = true;
        waiting().add(stream);
        engine.io.resumeSoon();
      }
    } else {
      @Nullable BodyRate rate = stream.rate;
      if (rate != null) {
        rate.resume(engine.io.now());
      }
    }
  }

  /// Delivers stored bytes, or the end of the body, to waiting readers.
  void deliverWaiting() {
    for (int i = 0; i < waiting.size(); i++) {
      Stream stream = waiting.get(i);
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
        engine.deliverEnd(stream, exchange);
      }
    }
    if (!waiting.isEmpty()) {
      waiting.clear();
    }
  }

  /// Returns credit to the peer: a reader has consumed the bytes, or the bytes were dropped.
  void returnCredit(Stream stream, int bytes) {
    if (bytes == 0 || stream.removed) {
      return;
    }
    int increment = flow.consumed(stream, bytes);
    if (increment > 0 && stream.state.receives()) {
      frames.windowUpdate(stream.id, increment);
    }
    engine.flushUnlessReading();
  }

  private List<Stream> waiting() {
    if (waiting == NONE) {
      waiting = new ArrayList<>(4);
    }
    return waiting;
  }

  /// Releases an empty list.
  void trim() {
    if (waiting.isEmpty()) {
      waiting = NONE;
    }
  }
}
