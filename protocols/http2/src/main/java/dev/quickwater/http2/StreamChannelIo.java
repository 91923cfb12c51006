package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.FilePiece;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.TunnelDrain;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The transport of a tunnel: a channel whose bytes are the DATA of a stream (RFC 9113 section 8.5,
/// RFC 8441).
///
/// - **Reading.** Bytes are delivered as they arrive, and their credit returns while the channel
///   reads. While reading is paused the stream stores them and returns no credit, so the peer stops
///   at the window.
/// - **Writing.** Written messages wait in the channel until the windows and the connection accept
///   them: the water marks count them, and the stall watch fails a channel whose peer opens no
///   window. A message is sent when its last byte is in a frame.
/// - **Half-close.** END_STREAM is the end of a direction.
/// - **Closing** before both directions have ended sends RST_STREAM with CANCEL. RST_STREAM of the
///   peer, and the end of the connection, fail the channel.
/// - Delivery of stored bytes, the end of the input and drains run when no handler is on the stack.
///
/// Loop only.
final class StreamChannelIo implements ChannelIo, Runnable {

  private static final System.Logger LOG = System.getLogger(StreamChannelIo.class.getName());

  /// Bytes that the distributor counts for the stream at once. The rest follows as these leave.
  private static final int MAX_QUEUED = 1 << 20;

  /// The maximum piece of a file in memory, in bytes.
  private static final int FILE_CHUNK = 64 << 10;

  /// The state of a direction.
  private enum Direction {
    OPEN,
    /// It has ended on the wire. The channel was not notified.
    ENDING,
    ENDED
  }

  private final Http2Engine engine;
  private final Stream stream;
  private @Nullable ChannelEvents events;
  private @Nullable Channel channel;
  private @Nullable StreamOutput output;

  private Direction input = Direction.OPEN;
  private Direction ourOutput = Direction.OPEN;

  /// The code of a close before both directions have ended.
  private ErrorCode resetCode = ErrorCode.CANCEL;

  private boolean reading;
  private boolean delivering;
  private boolean closed;
  private boolean scheduled;

  /// The handlers were notified of the drain.
  private boolean draining;

  /// Bytes were delivered, and the end of the read turn was not reported.
  private boolean turnOpen;

  /// Bytes were flushed or taken since the last drain.
  private boolean drainDue;

  /// Bytes of memory that were flushed and not taken.
  private long flushed;

  /// A file may be among the written messages.
  private boolean hasFiles;

  /// What was read of the file that is the first message.
  private @Nullable ByteBuf filePiece;

  private StreamChannelIo(Http2Engine engine, Stream stream) {
    this.engine = engine;
    this.stream = stream;
  }

  /// Makes a stream, on which the heads were exchanged, a channel. If its handlers cannot be added,
  /// the stream is reset.
  static void open(Http2Engine engine, Stream stream, ChannelInitializer initializer) {
    StreamChannelIo io = new StreamChannelIo(engine, stream);
    stream.tunnel = io;
    if (!stream.state.receives()) {
      io.input = Direction.ENDING;
    }
    try {
      io.channel =
          Channel.open(
              engine.io.loop(),
              io,
              engine.io.tunnelSettings(),
              made -> io.begin(made, initializer));
    } catch (Exception | Error e) {
      LOG.log(System.Logger.Level.WARNING, "the handlers of a tunnel cannot be added", e);
      engine.reset(stream, ErrorCode.INTERNAL_ERROR); // no effect after a close
    }
  }

  private void begin(Channel made, ChannelInitializer initializer) throws Exception {
    try {
      initializer.initialize(made);
    } catch (Throwable t) {
      resetCode = ErrorCode.INTERNAL_ERROR;
      throw t;
    }
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
    output = new StreamOutput(receiver);
  }

  private ChannelEvents events() {
    if (events == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return events;
  }

  private StreamOutput output() {
    if (output == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return output;
  }

  // ---- called by the engine ----

  /// Bytes have arrived; takes ownership.
  void received(ByteBuf bytes) {
    if (reading && !delivering && !stream.hasIncoming()) {
      deliver(bytes);
      schedule();
    } else {
      try {
        stream.store(bytes, engine.io.allocator());
      } finally {
        bytes.release();
      }
      schedule();
    }
  }

  /// A direction of the stream has ended.
  void directionEnded() {
    if (!stream.state.receives() && input == Direction.OPEN) {
      input = Direction.ENDING;
    }
    if (!stream.state.sends() && ourOutput == Direction.OPEN) {
      ourOutput = Direction.ENDING;
    }
    schedule();
  }

  /// The connection drains: notifies the handlers when none is on the stack.
  void drainBegins() {
    if (!draining) {
      draining = true;
      engine.io.loop().ready(this::fireDrain);
    }
  }

  private void fireDrain() {
    if (!closed && channel != null) {
      channel.pipeline().fireUserEvent(TunnelDrain.INSTANCE);
    }
  }

  /// The stream or the connection is reset.
  void failed(IOException cause) {
    if (!closed && events != null) {
      events.failed(cause);
    }
  }

  /// Up to `limit` bytes of the first flushed message; the caller owns them.
  ByteBuf take(int limit) {
    StreamOutput queued = output();
    @Nullable ByteBuf piece = filePiece;
    ByteBuf from = piece != null ? piece : (ByteBuf) queued.first();
    int length = Math.min(limit, from.readableBytes());
    ByteBuf taken = from.slice(from.readerIndex(), length);
    if (piece != null) {
      piece.skip(length);
      if (!piece.isReadable()) {
        releasePiece();
      }
    } else {
      flushed -= length;
    }
    queued.progress(length);
    drainDue = true;
    schedule();
    return taken;
  }

  // ---- reading ----

  private void deliver(ByteBuf bytes) {
    int length = bytes.readableBytes();
    turnOpen = true;
    delivering = true;
    try {
      events().received(bytes);
    } catch (Throwable t) {
      events().failed(t);
    } finally {
      delivering = false;
    }
    if (reading) {
      engine.bodiesIn.returnCredit(stream, length);
    } else {
      stream.uncredited += length;
    }
  }

  private void schedule() {
    if (!scheduled && !closed && isDue()) {
      scheduled = true;
      engine.io.loop().ready(this);
    }
  }

  private boolean isDue() {
    return turnOpen
        || drainDue
        || ourOutput == Direction.ENDING
        || reading && !delivering && (stream.hasIncoming() || input == Direction.ENDING);
  }

  @Override
  public void run() {
    scheduled = false;
    if (!closed && reading && stream.hasIncoming()) {
      deliver(stream.takeIncoming());
    }
    if (!closed && turnOpen) {
      turnOpen = false;
      events().readTurnEnded();
    }
    if (!closed && reading && input == Direction.ENDING && !stream.hasIncoming()) {
      reading = false;
      input = Direction.ENDED;
      events().inputEnded();
    }
    if (!closed && drainDue) {
      drainDue = false;
      drain();
    }
    if (!closed && ourOutput == Direction.ENDING) {
      ourOutput = Direction.ENDED;
      events().outputEnded();
    }
    schedule();
  }

  @Override
  public void startReading() {
    if (closed || input == Direction.ENDED) {
      return;
    }
    reading = true;
    int credit = stream.uncredited;
    stream.uncredited = 0;
    engine.bodiesIn.returnCredit(stream, credit);
    schedule();
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  // ---- writing ----

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    hasFiles |= message instanceof FileRegion;
    output().write(message, promise);
  }

  @Override
  public void flush() {
    StreamOutput queued = output();
    queued.flush();
    queued.dropEmpty();
    flushed = queued.pendingBytes();
    drainDue = true;
    queue();
    schedule();
  }

  private void drain() {
    queue();
    if (output().drained()) {
      engine.bodiesOut.end(stream, HttpHeaders.EMPTY);
    }
    events().drained();
  }

  /// Offers what was flushed to the distributor.
  private void queue() {
    if (closed || stream.removed || stream.queued >= MAX_QUEUED) {
      return;
    }
    long more = countable() - stream.queued;
    if (more > 0) {
      engine.bodiesOut.queueTunnel(stream, (int) Math.min(more, MAX_QUEUED - stream.queued));
    }
  }

  /// Flushed bytes before the next file, or those of a file that are in memory.
  private long countable() {
    if (!hasFiles) {
      return flushed;
    }
    StreamOutput queued = output();
    hasFiles = !queued.isEmpty();
    if (filePiece != null) {
      return filePiece.readableBytes();
    }
    long bytes = 0;
    for (int i = 0; i < queued.flushedCount(); i++) {
      Payload payload = queued.flushedAt(i);
      if (payload instanceof FileRegion region && region.size() > 0) {
        return bytes == 0 && stream.queued == 0 ? read(region) : bytes;
      }
      bytes += payload.size();
    }
    return bytes;
  }

  private long read(FileRegion region) {
    try {
      ByteBuf piece = FilePiece.read(region, events().allocator(), FILE_CHUNK);
      filePiece = piece;
      return piece.readableBytes();
    } catch (IOException | RuntimeException | Error e) {
      events().failed(e);
      return 0;
    }
  }

  private void releasePiece() {
    if (filePiece != null) {
      filePiece.release();
      filePiece = null;
    }
  }

  @Override
  public void shutdownOutput() {
    if (!closed && stream.state.sends()) {
      output().end();
      drainDue = true;
      schedule();
    }
  }

  @Override
  public long pendingBytes() {
    return output == null ? 0 : output.pendingBytes();
  }

  // ---- the end ----

  @Override
  public void close() {
    closed = true;
    reading = false;
    if (output != null) {
      output.close();
    }
    if (stream.state == StreamState.CLOSED) {
      engine.remove(stream, ClosedStreams.Reason.ENDED);
    } else {
      engine.reset(stream, resetCode);
    }
  }

  @Override
  public int abandon(Throwable cause) {
    releasePiece();
    return output().fail(cause);
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return engine.io.connection().localAddress();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return engine.io.connection().remoteAddress();
  }
}
