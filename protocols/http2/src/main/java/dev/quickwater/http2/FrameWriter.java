package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/// Writes frames (RFC 9113 sections 4 and 6) to a buffer, which grows as needed. Sans I/O and
/// stateless: any thread may write to a buffer that it owns.
///
/// Stream numbers are 0 to 2^31 - 1. Lengths are bytes, up to the peer's SETTINGS_MAX_FRAME_SIZE.
/// The writer checks neither these ranges nor any rule of a connection, so a test tool can write
/// invalid frames.
public final class FrameWriter {

  private FrameWriter() {}

  /// Writes the header of a frame, whose payload follows.
  ///
  /// @param length bytes of the payload, 0 to 2^24 - 1
  /// @param type 0 to 255, see [Frames]
  /// @param flags 0 to 255
  public static void header(ByteBuf out, int length, int type, int flags, int stream) {
    out.writeLong(head(length, type, flags, stream)).writeByte(stream);
  }

  /// Writes the header of a DATA frame without padding; `length` bytes follow.
  public static void data(ByteBuf out, int stream, int length, boolean endStream) {
    header(out, length, Frames.DATA, endStream ? Frames.END_STREAM : 0, stream);
  }

  /// Reserves space for the header of a HEADERS frame. The encoder appends the block, and
  /// [#endHeaders] completes the frame.
  ///
  /// @return where the frame starts, for `endHeaders`
  static int beginHeaders(ByteBuf out) {
    int start = out.writerIndex();
    out.writeLong(0).writeByte(0);
    return start;
  }

  /// Completes a PUSH_PROMISE frame, as [#endHeaders] completes HEADERS. The block follows four
  /// bytes that the caller has reserved for the promised stream.
  static void endPromise(ByteBuf out, int start, int stream, int promised, int maxFrameSize) {
    out.setInt(start + Frames.HEADER, promised);
    end(out, start, Frames.PUSH_PROMISE, stream, maxFrameSize, 0);
  }

  /// Completes a HEADERS frame. A block above the maximum frame size continues in CONTINUATION
  /// frames.
  ///
  /// @param start the result of [#beginHeaders]
  static void endHeaders(ByteBuf out, int start, int stream, int maxFrameSize, boolean endStream) {
    end(out, start, Frames.HEADERS, stream, maxFrameSize, endStream ? Frames.END_STREAM : 0);
  }

  private static void end(
      ByteBuf out, int start, int type, int stream, int maxFrameSize, int flags) {
    int first = start + Frames.HEADER;
    int length = out.writerIndex() - first;
    if (length <= maxFrameSize) {
      setHeader(out, start, length, type, flags | Frames.END_HEADERS, stream);
      return;
    }
    setHeader(out, start, maxFrameSize, type, flags, stream);
    int at = first + maxFrameSize;
    byte[] rest = new byte[length - maxFrameSize];
    out.copyToArray(at, rest, 0, rest.length);
    out.writerIndex(at);
    for (int from = 0; from < rest.length; ) {
      int count = Math.min(rest.length - from, maxFrameSize);
      int last = from + count == rest.length ? Frames.END_HEADERS : 0;
      header(out, count, Frames.CONTINUATION, last, stream);
      out.writeBytes(rest, from, count);
      from += count;
    }
  }

  private static void setHeader(ByteBuf out, int at, int length, int type, int flags, int stream) {
    out.setLong(at, head(length, type, flags, stream)).setByte(at + Long.BYTES, stream);
  }

  /// The first eight bytes of a frame.
  private static long head(int length, int type, int flags, int stream) {
    return (long) length << 40 | (long) type << 32 | (long) flags << 24 | stream >>> 8;
  }

  /// Writes a header block as a HEADERS frame and as many CONTINUATION frames as it needs.
  ///
  /// @param block the encoded block; all readable bytes are consumed, and ownership stays with the
  ///   caller
  /// @param maxFrameSize the peer's SETTINGS_MAX_FRAME_SIZE
  public static void headers(
      ByteBuf out, int stream, ByteBuf block, int maxFrameSize, boolean endStream) {
    int flags = endStream ? Frames.END_STREAM : 0;
    int length = Math.min(block.readableBytes(), maxFrameSize);
    boolean whole = length == block.readableBytes();
    header(out, length, Frames.HEADERS, whole ? flags | Frames.END_HEADERS : flags, stream);
    out.writeBytes(block, length);
    while (block.isReadable()) {
      length = Math.min(block.readableBytes(), maxFrameSize);
      whole = length == block.readableBytes();
      header(out, length, Frames.CONTINUATION, whole ? Frames.END_HEADERS : 0, stream);
      out.writeBytes(block, length);
    }
  }

  /// Writes RST_STREAM.
  public static void reset(ByteBuf out, int stream, ErrorCode code) {
    header(out, 4, Frames.RST_STREAM, 0, stream);
    out.writeInt(code.number());
  }

  /// Writes settings.
  ///
  /// @param idsAndValues ids and values in turn
  public static void settings(ByteBuf out, long... idsAndValues) {
    header(out, 3 * idsAndValues.length, Frames.SETTINGS, 0, 0);
    for (int i = 0; i < idsAndValues.length; i += 2) {
      out.writeShort((int) idsAndValues[i]);
      out.writeInt((int) idsAndValues[i + 1]);
    }
  }

  /// Writes the acknowledgement of a SETTINGS frame.
  public static void settingsAck(ByteBuf out) {
    header(out, 0, Frames.SETTINGS, Frames.ACK, 0);
  }

  /// Writes a PING, or the acknowledgement of one.
  public static void ping(ByteBuf out, long data, boolean ack) {
    header(out, 8, Frames.PING, ack ? Frames.ACK : 0, 0);
    out.writeLong(data);
  }

  /// Writes GOAWAY.
  ///
  /// @param lastStream the highest stream that this side may have processed
  /// @param debug ASCII text, which the peer may log
  public static void goAway(ByteBuf out, int lastStream, ErrorCode code, String debug) {
    byte[] text = debug.getBytes(StandardCharsets.US_ASCII);
    header(out, 8 + text.length, Frames.GOAWAY, 0, 0);
    out.writeInt(lastStream);
    out.writeInt(code.number());
    out.writeBytes(text);
  }

  /// Writes WINDOW_UPDATE.
  ///
  /// @param stream the stream, or 0 for the connection
  /// @param increment bytes, 1 to 2^31 - 1
  public static void windowUpdate(ByteBuf out, int stream, int increment) {
    header(out, 4, Frames.WINDOW_UPDATE, 0, stream);
    out.writeInt(increment);
  }
}
