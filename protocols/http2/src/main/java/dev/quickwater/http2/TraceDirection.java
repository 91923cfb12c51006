package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One direction of a [FrameTrace]: passes bytes to a [FrameReader] without consuming them, and
/// keeps the rest of an incomplete frame.
final class TraceDirection {

  /// Bytes of an encoded header block: the maximum that the settings of an engine allow.
  private static final int MAX_BLOCK = 128 << 10;

  /// More CONTINUATION frames than a block of this size needs, unless they are nearly empty.
  private static final int MAX_CONTINUATIONS = 64;

  private final TraceLine line;
  private final Consumer<? super CharSequence> to;
  private final FrameReader reader;

  /// The number of matched bytes of the preface. The first byte of a connection decides whether
  /// there is a preface: a frame that begins with the same byte would have 5 MiB.
  private int preface;

  /// The received part of an incomplete frame.
  private @Nullable ByteBuf held;

  private boolean ended;

  TraceDirection(TraceLine line, Consumer<? super CharSequence> to) {
    this.line = line;
    this.to = to;
    reader = new FrameReader(line, Frames.MAX_MAX_SIZE, MAX_BLOCK, MAX_CONTINUATIONS);
  }

  /// Traces the readable bytes of a buffer, which is unchanged afterwards.
  void observe(ByteBuf bytes, ByteBufAllocator allocator) {
    if (ended) {
      return;
    }
    int start = bytes.readerIndex();
    try {
      matchPreface(bytes);
      while (bytes.isReadable() && !ended) {
        if (held == null) {
          readAll(bytes);
          hold(bytes, allocator);
        } else {
          complete(held, bytes);
        }
      }
    } catch (Http2Exception e) {
      error(e);
      release();
    } finally {
      bytes.readerIndex(start);
    }
  }

  private void matchPreface(ByteBuf bytes) throws Http2Exception {
    byte[] expected = Http2Engine.PREFACE;
    if (preface == 0 && bytes.isReadable() && bytes.getByte(bytes.readerIndex()) != expected[0]) {
      preface = expected.length;
    }
    while (preface < expected.length && bytes.isReadable()) {
      if (bytes.readByte() != expected[preface++]) {
        throw Http2Exception.connection(ErrorCode.PROTOCOL_ERROR, "the preface is malformed");
      }
      if (preface == expected.length) {
        to.accept(line.note("0 PREFACE"));
      }
    }
  }

  private void readAll(ByteBuf bytes) throws Http2Exception {
    boolean more = true;
    while (more) {
      try {
        more = reader.read(bytes);
        emit();
      } catch (Http2Exception e) {
        emit();
        if (e.stream() == 0) {
          throw e;
        }
        error(e);
      }
    }
  }

  private void emit() {
    @Nullable CharSequence complete = line.take();
    if (complete != null) {
      to.accept(complete);
    }
  }

  /// Completes an incomplete frame. Copies only the missing bytes of the frame, not later ones.
  private void complete(ByteBuf first, ByteBuf bytes) throws Http2Exception {
    int count = Math.min(missing(first), bytes.readableBytes());
    first.writeBytes(bytes, count);
    readAll(first);
    if (!first.isReadable()) {
      held = null;
      first.release();
    } else {
      checkLength(first);
    }
  }

  /// The number of bytes until the reader can continue: to the end of a frame header, or of a frame
  /// that is read whole. A padded DATA frame may lack the byte with the length of its padding.
  private static int missing(ByteBuf first) {
    int have = first.readableBytes();
    if (have < Frames.HEADER) {
      return Frames.HEADER - have;
    }
    int head = first.getInt(first.readerIndex());
    int length = head >>> Byte.SIZE;
    int type = head & 0xff;
    return type == Frames.DATA ? 1 : Frames.HEADER + length - have;
  }

  /// Refuses a frame that is not traced as soon as its header is complete.
  private static void checkLength(ByteBuf incomplete) throws Http2Exception {
    if (incomplete.readableBytes() >= Frames.HEADER) {
      int head = incomplete.getInt(incomplete.readerIndex());
      TraceLine.checkLength(head & 0xff, head >>> Byte.SIZE);
    }
  }

  private void hold(ByteBuf bytes, ByteBufAllocator allocator) throws Http2Exception {
    int count = bytes.readableBytes();
    if (count > 0) {
      checkLength(bytes);
      ByteBuf fresh = allocator.allocate(count);
      held = fresh;
      fresh.writeBytes(bytes);
    }
  }

  void fail(String message) {
    if (!ended) {
      error(Http2Exception.connection(ErrorCode.INTERNAL_ERROR, message));
      release();
    }
  }

  private void error(Http2Exception e) {
    StringBuilder text = line.note(e.stream() + " ERROR code=" + e.code() + " message=");
    TraceText.quote(text, String.valueOf(e.getMessage()));
    to.accept(text);
  }

  /// Ends the trace of this direction.
  void release() {
    ended = true;
    if (held != null) {
      held.release();
      held = null;
    }
  }
}
