package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads frames (RFC 9113 sections 4 and 6) from bytes that arrive in any pieces. Sans I/O.
///
/// ```
/// HEADER --DATA--> DATA --payload--> PADDING --> HEADER
///   |  '----any other type: waits for the whole payload---> HEADER
///   '-------unknown type: SKIP --> HEADER
/// ```
///
/// - **DATA** is passed on as it arrives. Other frames are small, or bounded by the maximum frame
///   size, and are read once they are complete: the caller keeps what is not consumed.
/// - **Header blocks** are collected to a limit of bytes, and of CONTINUATION frames, because empty
///   ones cost work without reaching the limit of bytes. A block above a limit is an error before
///   its bytes are stored.
/// - **Skipped bytes** of unknown frames are not stored.
final class FrameReader {

  private enum State {
    HEADER,
    DATA,
    PADDING,
    SKIP
  }

  private final FrameHandler handler;
  private final int maxFrameSize;
  private final int maxBlock;
  private final int maxContinuations;

  private State state = State.HEADER;
  private int type;
  private int flags;
  private int stream;

  /// Bytes of the payload that were not consumed.
  private int left;

  /// Bytes of padding at the end of the payload.
  private int padding;

  /// Bytes of padding that the handler was not notified of.
  private int paddingSeen;

  private byte[] block = {};
  private int blockLength;

  /// The stream whose header block is being collected; 0 for none.
  private int blockStream;

  /// The CONTINUATION frames of the block.
  private int continuations;

  private boolean blockEndsStream;

  /// The stream of the block is refused.
  private boolean blockIsFaulty;

  /// The promised stream of the block; 0 for a block of HEADERS.
  private int blockPromised;

  /// @param maxFrameSize our SETTINGS_MAX_FRAME_SIZE
  /// @param maxBlock bytes of an encoded header block
  /// @param maxContinuations CONTINUATION frames of a header block
  FrameReader(FrameHandler handler, int maxFrameSize, int maxBlock, int maxContinuations) {
    this.handler = handler;
    this.maxFrameSize = maxFrameSize;
    this.maxBlock = maxBlock;
    this.maxContinuations = maxContinuations;
  }

  /// Reads one frame, or a part of a DATA or skipped frame.
  ///
  /// @return false if it needs more bytes
  boolean read(ByteBuf in) throws Http2Exception {
    return switch (state) {
      case HEADER -> header(in);
      case DATA -> data(in);
      case PADDING, SKIP -> skip(in);
    };
  }

  private boolean header(ByteBuf in) throws Http2Exception {
    if (in.readableBytes() < Frames.HEADER) {
      return false;
    }
    int at = in.readerIndex();
    int length = in.getUnsignedShort(at) << 8 | in.getUnsignedByte(at + 2);
    type = in.getUnsignedByte(at + 3);
    flags = in.getUnsignedByte(at + 4);
    stream = in.getInt(at + 5) & Integer.MAX_VALUE;
    if (length > maxFrameSize) {
      throw error(ErrorCode.FRAME_SIZE_ERROR, "has " + length + " bytes, above the setting");
    }
    if (blockStream != 0 && (type != Frames.CONTINUATION || stream != blockStream)) {
      throw error(ErrorCode.PROTOCOL_ERROR, "interrupts a header block (section 6.10)");
    }
    left = length;
    if (type == Frames.DATA) {
      return beginData(in);
    }
    if (type > Frames.CONTINUATION && type != Frames.PRIORITY_UPDATE) {
      in.skip(Frames.HEADER);
      handler.ignored(type, length);
      state = State.SKIP;
      return skip(in);
    }
    if (in.readableBytes() - Frames.HEADER < length) {
      checkEarly();
      return false;
    }
    in.skip(Frames.HEADER);
    int end = in.readerIndex() + length;
    try {
      frame(in);
    } finally {
      in.readerIndex(end); // after an error of one stream, reading resumes behind the frame
    }
    return true;
  }

  /// A header block above its limit is refused before its bytes arrive.
  private void checkEarly() throws Http2Exception {
    if (type == Frames.HEADERS || type == Frames.PUSH_PROMISE || type == Frames.CONTINUATION) {
      checkBlock(left);
    }
  }

  private Http2Exception error(ErrorCode code, String fact) {
    return Http2Exception.connection(
        code, "a frame of type " + type + " on stream " + stream + " " + fact);
  }

  private Http2Exception protocolError(String fact) {
    return error(ErrorCode.PROTOCOL_ERROR, fact);
  }

  private void requireStream() throws Http2Exception {
    if (stream == 0) {
      throw protocolError("belongs to no stream");
    }
  }

  private void requireConnection() throws Http2Exception {
    if (stream != 0) {
      throw protocolError("belongs to the connection");
    }
  }

  private void requireLength(int length) throws Http2Exception {
    if (left != length) {
      throw error(ErrorCode.FRAME_SIZE_ERROR, "has " + left + " bytes instead of " + length);
    }
  }

  // ---- DATA ----

  private boolean beginData(ByteBuf in) throws Http2Exception {
    requireStream();
    padding = 0;
    paddingSeen = 0;
    int header = Frames.HEADER;
    if ((flags & Frames.PADDED) != 0) {
      if (left == 0) {
        throw error(ErrorCode.FRAME_SIZE_ERROR, "has no padding length");
      }
      if (in.readableBytes() == header) {
        return false;
      }
      padding = in.getUnsignedByte(in.readerIndex() + header);
      if (padding >= left) {
        throw protocolError("has more padding than payload (section 6.1)");
      }
      header++;
      left--;
      paddingSeen = 1;
    }
    in.skip(header);
    state = State.DATA;
    return data(in);
  }

  private boolean data(ByteBuf in) throws Http2Exception {
    int content = left - padding;
    int count = Math.min(content, in.readableBytes());
    if (count == 0 && content > 0) {
      return false;
    }
    boolean last = count == content;
    left -= count;
    int counted = paddingSeen + (last ? padding : 0);
    paddingSeen = 0;
    if (last) {
      state = State.PADDING;
    }
    handler.data(stream, in.readSlice(count), counted, last && (flags & Frames.END_STREAM) != 0);
    if (last) {
      skip(in);
    }
    return true;
  }

  private boolean skip(ByteBuf in) {
    int count = Math.min(left, in.readableBytes());
    in.skip(count);
    left -= count;
    if (left > 0) {
      return false;
    }
    state = State.HEADER;
    return true;
  }

  // ---- whole frames ----

  private void frame(ByteBuf in) throws Http2Exception {
    switch (type) {
      case Frames.HEADERS -> headers(in);
      case Frames.PRIORITY -> priority(in);
      case Frames.RST_STREAM -> {
        requireStream();
        requireLength(4);
        handler.reset(stream, in.readInt());
      }
      case Frames.SETTINGS -> settings(in);
      case Frames.PUSH_PROMISE -> pushPromise(in);
      case Frames.PING -> {
        requireConnection();
        requireLength(8);
        long data = in.readLong();
        if ((flags & Frames.ACK) != 0) {
          handler.pingAck(data);
        } else {
          handler.ping(data);
        }
      }
      case Frames.GOAWAY -> {
        requireConnection();
        requireAtLeast(8);
        int last = in.readInt() & Integer.MAX_VALUE;
        int code = in.readInt();
        handler.goAway(last, code, in.readString(left - 8, StandardCharsets.ISO_8859_1));
      }
      case Frames.WINDOW_UPDATE -> windowUpdate(in);
      case Frames.CONTINUATION -> {
        if (blockStream == 0) {
          throw protocolError("continues no header block (section 6.10)");
        }
        collect(in, left);
      }
      case Frames.PRIORITY_UPDATE -> {
        requireConnection();
        requireAtLeast(4);
        int target = in.readInt() & Integer.MAX_VALUE;
        if (target == 0) {
          throw protocolError("gives stream 0 a priority (RFC 9218 section 7.1)");
        }
        handler.priorityUpdate(target, in.readString(left - 4, StandardCharsets.ISO_8859_1));
      }
      default -> throw new AssertionError(type);
    }
  }

  private void requireAtLeast(int length) throws Http2Exception {
    if (left < length) {
      throw error(ErrorCode.FRAME_SIZE_ERROR, "has " + left + " bytes, less than " + length);
    }
  }

  private void priority(ByteBuf in) throws Http2Exception {
    requireStream();
    if (left != 5) {
      throw Http2Exception.stream(
          stream, ErrorCode.FRAME_SIZE_ERROR, "a PRIORITY frame has " + left + " bytes");
    }
    if (dependsOnItself(in)) {
      throw selfDependency(stream);
    }
    handler.ignored(type, left);
  }

  /// The priority of RFC 7540 has no effect any more (RFC 9113 section 5.3.2), but a stream that
  /// depends on itself is an error (RFC 7540 section 5.3.1).
  private boolean dependsOnItself(ByteBuf in) {
    int parent = in.readInt() & Integer.MAX_VALUE;
    in.skip(1);
    return parent == stream;
  }

  private static Http2Exception selfDependency(int stream) {
    return Http2Exception.stream(
        stream, ErrorCode.PROTOCOL_ERROR, "stream " + stream + " depends on itself");
  }

  private void settings(ByteBuf in) throws Http2Exception {
    requireConnection();
    if ((flags & Frames.ACK) != 0) {
      requireLength(0);
      handler.settingsAck();
      return;
    }
    if (left % 6 != 0) {
      throw error(ErrorCode.FRAME_SIZE_ERROR, "has " + left + " bytes, no multiple of 6");
    }
    for (int count = left / 6; count > 0; count--) {
      handler.setting(in.readUnsignedShort(), in.readUnsignedInt());
    }
    handler.settingsEnd();
  }

  private void windowUpdate(ByteBuf in) throws Http2Exception {
    requireLength(4);
    int increment = in.readInt() & Integer.MAX_VALUE;
    if (increment == 0) {
      String fact = "a window of stream " + stream + " is increased by 0 (section 6.9)";
      throw stream == 0
          ? Http2Exception.connection(ErrorCode.PROTOCOL_ERROR, fact)
          : Http2Exception.stream(stream, ErrorCode.PROTOCOL_ERROR, fact);
    }
    handler.windowUpdate(stream, increment);
  }

  // ---- header blocks ----

  private void headers(ByteBuf in) throws Http2Exception {
    requireStream();
    int pad = padding(in);
    int fixed = (flags & Frames.PRIORITY_FLAG) != 0 ? 5 : 0;
    int count = fragment(pad, fixed);
    blockIsFaulty = fixed > 0 && dependsOnItself(in);
    blockPromised = 0;
    blockEndsStream = (flags & Frames.END_STREAM) != 0;
    blockStream = stream;
    collect(in, count);
  }

  private void pushPromise(ByteBuf in) throws Http2Exception {
    requireStream();
    int pad = padding(in);
    int count = fragment(pad, 4);
    blockPromised = in.readInt() & Integer.MAX_VALUE;
    if (blockPromised == 0) {
      throw protocolError("promises stream 0");
    }
    blockEndsStream = false;
    blockIsFaulty = false;
    blockStream = stream;
    collect(in, count);
  }

  /// Reads the length of padding, if there is one.
  private int padding(ByteBuf in) throws Http2Exception {
    if ((flags & Frames.PADDED) == 0) {
      return 0;
    }
    requireAtLeast(1);
    left--;
    return in.readUnsignedByte();
  }

  private int fragment(int pad, int fixed) throws Http2Exception {
    requireAtLeast(fixed);
    if (pad > left - fixed) {
      throw protocolError("has more padding than payload (section 6.2)");
    }
    return left - fixed - pad;
  }

  private void checkBlock(int more) throws Http2Exception {
    boolean continued = type == Frames.CONTINUATION;
    if (continued && continuations == maxContinuations) {
      throw error(
          ErrorCode.ENHANCE_YOUR_CALM,
          "is one more than the " + maxContinuations + " CONTINUATION frames of a header block");
    }
    int before = continued ? blockLength : 0;
    if (more > maxBlock - before) {
      throw error(
          ErrorCode.ENHANCE_YOUR_CALM, "makes a header block of over " + maxBlock + " bytes");
    }
  }

  private void collect(ByteBuf in, int count) throws Http2Exception {
    checkBlock(count);
    if (type == Frames.CONTINUATION) {
      continuations++;
    } else {
      continuations = 0;
      blockLength = 0;
    }
    if (block.length < blockLength + count) {
      int larger = Math.max(blockLength + count, Math.min(maxBlock, 2 * block.length));
      block = Arrays.copyOf(block, Math.max(larger, Math.min(maxBlock, 512)));
    }
    in.readBytes(block, blockLength, count);
    blockLength += count;
    if ((flags & Frames.END_HEADERS) == 0) {
      return;
    }
    int target = blockStream;
    blockStream = 0;
    if (blockIsFaulty) {
      handler.malformedHeaders(block, blockLength);
      throw selfDependency(target);
    }
    if (blockPromised == 0) {
      handler.headers(target, block, blockLength, blockEndsStream);
    } else {
      handler.pushPromise(target, blockPromised, block, blockLength);
    }
  }
}
