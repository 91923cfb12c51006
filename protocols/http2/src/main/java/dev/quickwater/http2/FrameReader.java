package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.util.setting.SettingCheck;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads frames (RFC 9113 sections 4 and 6) from bytes, however they are split. Sans I/O.
///
/// ```
/// HEADER --DATA--> DATA --payload--> PADDING --> HEADER
///   |  '----any other type: waits for the whole payload---> HEADER
///   '-------unknown type: SKIP --> HEADER
/// ```
///
/// - **DATA** is passed on as it arrives. Other frames are small, or bounded by the maximum frame
///   size, and are read when they are complete. The caller keeps unconsumed bytes.
/// - **Header blocks** are collected up to a limit of bytes and a limit of CONTINUATION frames.
///   Empty CONTINUATION frames cost work without reaching the limit of bytes. A block that exceeds
///   a limit is refused before its bytes are stored.
/// - **Skipped bytes** of unknown frames are not stored.
/// - **The preface** of a client (section 3.4) is not a frame; the caller consumes it.
/// - **Thread:** one at a time. A handler must not call the reader that is calling it.
public final class FrameReader {

  private enum State {
    HEADER,
    DATA,
    PADDING,
    SKIP
  }

  private static final byte[] NOTHING = {};

  /// The minimum size of the array for header blocks.
  private static final int MIN_ROOM = 128;

  /// A larger array is dropped after its block.
  private static final int MAX_KEPT = 512;

  private final FrameHandler handler;
  private final int maxFrameSize;
  private final int maxBlock;
  private final int maxContinuations;

  private State state = State.HEADER;
  private int type;
  private int flags;
  private int stream;

  /// Bytes of the current payload that were not consumed.
  private int left;

  /// Bytes of padding at the end of the payload.
  private int padding;

  /// Bytes of padding that were consumed and not yet reported to the handler.
  private int paddingSeen;

  private byte[] block = NOTHING;
  private int blockLength;

  /// The stream whose header block is being collected; 0 for none.
  private int blockStream;

  /// The number of CONTINUATION frames of the block so far.
  private int continuations;

  private boolean blockEndsStream;

  /// The stream of the block will be refused: it depends on itself.
  private boolean blockIsFaulty;

  /// The promised stream of the block; 0 for a block of HEADERS.
  private int blockPromised;

  /// A reader for one direction of a connection.
  ///
  /// @param maxFrameSize bytes of the payload of a frame: the SETTINGS_MAX_FRAME_SIZE of the
  ///   receiving side, [Frames#MIN_MAX_SIZE] to [Frames#MAX_MAX_SIZE]
  /// @param maxBlock bytes of an encoded header block, including padding and priority; 1 or more
  /// @param maxContinuations CONTINUATION frames of a header block; 0 or more
  public FrameReader(FrameHandler handler, int maxFrameSize, int maxBlock, int maxContinuations) {
    SettingCheck.require(
        maxFrameSize >= Frames.MIN_MAX_SIZE && maxFrameSize <= Frames.MAX_MAX_SIZE,
        "maxFrameSize",
        maxFrameSize,
        "16384 to 16777215");
    SettingCheck.require(maxBlock >= 1, "maxBlock", maxBlock, "1 or more");
    SettingCheck.require(maxContinuations >= 0, "maxContinuations", maxContinuations, "0 or more");
    this.handler = handler;
    this.maxFrameSize = maxFrameSize;
    this.maxBlock = maxBlock;
    this.maxContinuations = maxContinuations;
  }

  /// Releases the memory for header blocks, unless a block is incomplete.
  void trim() {
    if (blockStream == 0) {
      block = NOTHING;
    }
  }

  /// True if a header block has begun and is incomplete.
  boolean isInsideBlock() {
    return blockStream != 0;
  }

  /// Reads one frame, or a part of a DATA or skipped frame. The caller repeats the call while it
  /// returns true, then keeps the bytes that were not consumed, and adds received bytes behind
  /// them.
  ///
  /// @param in the reader consumes from it and does not release it
  /// @return false if it needs more bytes than `in` has
  /// @throws Http2Exception if the frame is malformed. After an error of one stream reading resumes
  ///   behind the frame; after an error of the connection the reader must not be used again
  public boolean read(ByteBuf in) throws Http2Exception {
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
    long head = in.getLong(at);
    int length = (int) (head >>> 40);
    type = (int) (head >>> 32) & 0xff;
    flags = (int) (head >>> 24) & 0xff;
    stream = (int) (head << Byte.SIZE | in.getUnsignedByte(at + Long.BYTES)) & Integer.MAX_VALUE;
    if (length > maxFrameSize) {
      throw error(
          ErrorCode.FRAME_SIZE_ERROR,
          "has " + length + " bytes, more than SETTINGS_MAX_FRAME_SIZE");
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
      state = State.SKIP;
      handler.frame(type, flags, stream, length);
      handler.ignored(type, length);
      return skip(in);
    }
    checkBlock();
    if (in.readableBytes() - Frames.HEADER < length) {
      return false;
    }
    in.skip(Frames.HEADER);
    int end = in.readerIndex() + length;
    try {
      handler.frame(type, flags, stream, length);
      frame(in);
    } finally {
      in.readerIndex(end); // after an error of one stream, reading resumes after the frame
    }
    return true;
  }

  /// Refuses a header block above a limit before its bytes arrive. The announced length counts, so
  /// the outcome does not depend on how the bytes are split.
  private void checkBlock() throws Http2Exception {
    boolean continued = type == Frames.CONTINUATION;
    if (!continued && type != Frames.HEADERS && type != Frames.PUSH_PROMISE) {
      return;
    }
    requireStream();
    if (continued && blockStream == 0) {
      throw protocolError("continues no header block (section 6.10)");
    }
    if (continued && continuations == maxContinuations) {
      throw error(
          ErrorCode.ENHANCE_YOUR_CALM,
          "exceeds the limit of " + maxContinuations + " CONTINUATION frames in a header block");
    }
    if (left > maxBlock - (continued ? blockLength : 0)) {
      throw error(
          ErrorCode.ENHANCE_YOUR_CALM, "makes a header block longer than " + maxBlock + " bytes");
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
      throw protocolError("is not allowed on stream 0");
    }
  }

  private void requireConnection() throws Http2Exception {
    if (stream != 0) {
      throw protocolError("is allowed on stream 0 only");
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
    int length = left;
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
    handler.frame(type, flags, stream, length);
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
      case Frames.CONTINUATION -> collect(in, left);
      case Frames.PRIORITY_UPDATE -> {
        requireConnection();
        requireAtLeast(4);
        int target = in.readInt() & Integer.MAX_VALUE;
        if (target == 0) {
          throw protocolError("sets a priority of stream 0 (RFC 9218 section 7.1)");
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

  /// The priorities of RFC 7540 have no effect (RFC 9113 section 5.3.2), but a stream that depends
  /// on itself is an error (RFC 7540 section 5.3.1).
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
      throw error(
          ErrorCode.FRAME_SIZE_ERROR, "has " + left + " bytes, which is not a multiple of 6");
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

  /// The length of the padding; 0 without padding.
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

  private void collect(ByteBuf in, int count) throws Http2Exception {
    if (type == Frames.CONTINUATION) {
      continuations++;
    } else {
      continuations = 0;
      blockLength = 0;
    }
    if (block.length < blockLength + count) {
      int larger = Math.max(blockLength + count, Math.min(maxBlock, 2 * block.length));
      block = Arrays.copyOf(block, Math.max(larger, Math.min(maxBlock, MIN_ROOM)));
    }
    in.readBytes(block, blockLength, count);
    blockLength += count;
    if ((flags & Frames.END_HEADERS) == 0) {
      return;
    }
    int target = blockStream;
    blockStream = 0;
    byte[] whole = block;
    if (whole.length > MAX_KEPT) {
      block = NOTHING;
    }
    if (blockIsFaulty) {
      handler.malformedHeaders(whole, blockLength);
      throw selfDependency(target);
    }
    if (blockPromised == 0) {
      handler.headers(target, whole, blockLength, blockEndsStream);
    } else {
      handler.pushPromise(target, blockPromised, whole, blockLength);
    }
  }
}
