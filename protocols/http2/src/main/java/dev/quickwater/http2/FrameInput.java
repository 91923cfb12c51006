package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.engine.InputBuffer;

/// The received bytes of a connection, and when their frames are interpreted.
///
/// - Each frame takes a unit of the loop's budget. If no unit is left, the remaining frames wait
///   for the next turn of the loop, and reading from the peer pauses until then.
/// - Frames that arrive from inside of a frame's handler are interpreted after it.
/// - After the engine has stopped interpreting input, the bytes are released.
///
/// It is the buffer itself, because an object beside it would need a header. Loop only.
final class FrameInput extends InputBuffer {

  private static final int MAX_CONTINUATIONS = 16;

  private final Http2Engine engine;
  private final FrameReader reader;

  /// The stack is inside of [#process].
  private boolean processing;

  /// Received frames wait for the loop's next turn.
  private boolean yielded;

  FrameInput(Http2Engine engine, FrameHandler handler) {
    this.engine = engine;
    int maxBlock = 2 * engine.settings.streams().maxHeadSize();
    this.reader = new FrameReader(handler, Frames.MIN_MAX_SIZE, maxBlock, MAX_CONTINUATIONS);
  }

  /// Interprets bytes; takes ownership.
  void receive(ByteBuf bytes) {
    try {
      add(bytes, engine.io.allocator());
    } catch (Throwable t) {
      engine.abort(t);
      throw t;
    }
    process();
  }

  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    engine.deadlines.hear();
    try {
      while (engine.closing.interprets() && mayRead() && readFrame()) {
        // each step consumes a frame, or a part of one
      }
    } catch (Throwable t) {
      engine.abort(t);
      throw t;
    } finally {
      processing = false;
      releaseIfClosed();
    }
    trim(engine.io.allocator());
    engine.deadlines.insideBlock(reader.isInsideBlock());
  }

  /// True if another frame may be interpreted in this turn of the loop.
  private boolean mayRead() {
    if (yielded || isEmpty()) {
      return false;
    }
    if (!engine.io.takeUnit()) {
      yielded = true;
      engine.io.holdInput(true);
      engine.io.resumeLater();
    }
    return !yielded;
  }

  private boolean readFrame() {
    try {
      ByteBuf in = bytes();
      return engine.readPreface(in) && reader.read(in);
    } catch (Http2Exception e) {
      engine.violated(e);
      return true;
    }
  }

  /// True if frames wait for [#resume].
  boolean isYielded() {
    return yielded;
  }

  /// Interprets the frames that waited for a turn of the loop.
  void resume() {
    yielded = false;
    process();
    if (!yielded) {
      engine.io.holdInput(false);
    }
  }

  /// True if a frame is being interpreted.
  boolean isProcessing() {
    return processing;
  }

  /// Releases the bytes if no more input is interpreted. While the reader of frames is on the
  /// stack, it still uses them.
  void releaseIfClosed() {
    if (!processing && !engine.closing.interprets()) {
      release();
    }
  }

  /// Releases memory that makes the next header block cheap.
  void trim() {
    reader.trim();
  }
}
