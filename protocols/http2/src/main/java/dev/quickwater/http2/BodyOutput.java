package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.OutputBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bodies that this side sends on the streams of a connection.
///
/// - Each stream queues what its exchange writes. A flush cuts the queued bytes into frames, as far
///   as the windows and the channel accept them, in the order of the [Distributor].
/// - A whole body that the windows accept at once is written directly after its head.
/// - END_STREAM is part of the last DATA frame, unless trailers follow.
///
/// Loop only.
final class BodyOutput {

  /// The number of bytes after which the writability of the channel is checked again.
  private static final int SEND_CHUNK = 64 << 10;

  /// The number of queued bytes at which the body of a stream stops being writable.
  private static final int HIGH_WATER = 64 << 10;

  /// The maximum number of queued bytes of a stream. A write beyond it throws, because the writer
  /// ignores `isWritable`.
  private static final int HARD_LIMIT = 16 << 20;

  private static final List<AbstractExchange> NONE = List.of();

  private final Http2Engine engine;
  private final FrameOutput frames;
  private final SendFlow flow;
  private List<AbstractExchange> waiting = NONE;

  BodyOutput(Http2Engine engine) {
    this.engine = engine;
    this.frames = engine.frames;
    this.flow = engine.sendFlow;
  }

  boolean isWritable(Stream stream) {
    return stream.state.sends()
        && stream.ending == null
        && stream.queued < HIGH_WATER
        && (stream.queued == 0 || engine.io.isWritable());
  }

  /// Queues bytes of a body; takes ownership.
  void write(Stream stream, ByteBuf bytes) {
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
    stream.progressed = engine.io.now();
    stream.add(bytes);
    if (engine.mayCut(stream)) {
      flow.queued(stream, length, false);
      engine.flushUnlessReading();
    } else {
      stream.heldBytes += length;
    }
  }

  /// Ends the body after the queued bytes.
  void end(Stream stream, HttpHeaders trailers) {
    if (stream.state.sends() && stream.ending == null) {
      stream.ending = trailers;
      if (engine.mayCut(stream)) {
        flow.queued(stream, 0, true);
        engine.flushUnlessReading();
      }
    }
  }

  /// Notes that a tunnel has more bytes to send.
  void queueTunnel(Stream stream, int bytes) {
    if (stream.state.sends() && stream.ending == null) {
      stream.progressed = engine.io.now();
      flow.queued(stream, bytes, false);
      engine.flushUnlessReading();
    }
  }

  /// Sends what was written while [Http2Engine#mayCut] was false.
  void release(Stream stream) {
    int held = stream.heldBytes;
    stream.heldBytes = 0;
    if (held > 0 || stream.ending != null) {
      flow.queued(stream, held, stream.ending != null);
      engine.flushUnlessReading();
    }
  }

  /// Writes a whole body that follows its head, as far as possible without queueing.
  void sendWhole(Stream stream, byte[] content) {
    stream.ending = HttpHeaders.EMPTY;
    if (engine.io.isWritable() && flow.take(stream, content.length)) {
      writeWhole(stream, content);
      engine.endSent(stream);
    } else {
      stream.add(ByteBuf.wrap(content));
      flow.queued(stream, content.length, true);
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
    engine.budgets.dataSent(content.length / max + 1);
  }

  /// Cuts queued bytes of a stream into frames, and ends the stream after the last ones. The
  /// distributor calls this method.
  int send(Stream stream, int allowed) {
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
    engine.budgets.dataSent(sent / frames.maxFrameSize() + 1);
    @Nullable BodyRate rate = stream.sending;
    if (rate != null) {
      rate.add(sent);
    }
    stream.progressed = engine.io.now();
    if (stream.ending != null && sent == stream.queued) {
      if (stream.ending.size() > 0) {
        frames.trailers(stream.id, stream.ending);
      } else if (!ended) {
        frames.data(stream.id, 0, true, 0);
      }
      engine.endSent(stream);
    }
    return sent;
  }

  private static boolean endsWithData(Stream stream) {
    return stream.ending != null && stream.ending.size() == 0;
  }

  /// Cuts frames until a window is used up, the queues are empty, or the channel is not writable.
  void distribute() {
    while (engine.io.isWritable() && flow.distribute(SEND_CHUNK) > 0) {
      // each call sends one chunk
    }
  }

  /// Runs the callbacks of exchanges whose body has become writable.
  void notifyWritable() {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      AbstractExchange exchange = waiting.get(i);
      if (!exchange.awaitsWritability()) {
        waiting.remove(i);
      } else if (exchange.isOutputWritable()) {
        waiting.remove(i);
        exchange.becameWritable();
      }
    }
  }

  /// Notes that a callback of the exchange waits for a writable body.
  void writabilityAwaited(AbstractExchange exchange) {
    waiting().add(exchange);
  }

  private List<AbstractExchange> waiting() {
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
