package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;

/// Receives the frames of one direction of a connection in order, from a [FrameReader].
///
/// - **Checks:** the reader checks everything that a single frame shows. The handler must check the
///   states of streams, windows, settings and header fields.
/// - **Stream numbers** are 1 to 2^31 - 1; 0 is the connection. Lengths are bytes.
/// - **Thread:** [FrameReader#read] makes all calls, on the thread of its caller.
/// - **Errors:** if a method throws an [Http2Exception], `read` throws it. The frame counts as
///   read, except that the rest of a DATA frame follows.
public interface FrameHandler {

  /// A frame begins; the arguments are its header (RFC 9113 section 4.1). If the payload is valid,
  /// the method of the frame's type follows. [#headers] follows the last frame of a header block. A
  /// frame with an invalid header is not reported.
  ///
  /// @param type a type of [Frames], or an unknown type
  /// @param flags the bits as received
  /// @param length bytes of the payload
  default void frame(int type, int flags, int stream, int length) throws Http2Exception {}

  /// A part of the payload of a DATA frame. The handler owns `bytes`.
  ///
  /// @param padding bytes of padding that came with this part, including the length byte of the
  ///   padding; they count against the windows as content does
  /// @param endStream true with the last part of a frame that ends the stream
  void data(int stream, ByteBuf bytes, int padding, boolean endStream) throws Http2Exception;

  /// A whole header block: the fragments of a HEADERS frame and its CONTINUATION frames (RFC 9113
  /// section 4.3).
  ///
  /// @param block the encoded block in its first `length` bytes; valid during the call, not to be
  ///   changed
  void headers(int stream, byte[] block, int length, boolean endStream) throws Http2Exception;

  /// The header block of a refused stream. It must be decoded because the compression tables depend
  /// on every block. The reader throws an error of the stream after this call.
  void malformedHeaders(byte[] block, int length) throws Http2Exception;

  /// The header block of a PUSH_PROMISE frame (RFC 9113 section 6.6).
  ///
  /// @param promised the number of the promised stream
  /// @param block as in [#headers]
  void pushPromise(int stream, int promised, byte[] block, int length) throws Http2Exception;

  /// RST_STREAM.
  ///
  /// @param code the number as received; see [ErrorCode#of]
  void reset(int stream, int code) throws Http2Exception;

  /// One setting. [#settingsEnd] follows the last one of a frame.
  ///
  /// @param id 0 to 65,535 (RFC 9113 section 6.5.2)
  /// @param value 0 to 2^32 - 1, not validated
  void setting(int id, long value) throws Http2Exception;

  /// A SETTINGS frame has ended.
  void settingsEnd() throws Http2Exception;

  /// The peer has acknowledged a SETTINGS frame.
  void settingsAck() throws Http2Exception;

  /// A PING to acknowledge with the same data.
  void ping(long data) throws Http2Exception;

  /// The acknowledgement of a PING.
  void pingAck(long data) throws Http2Exception;

  /// GOAWAY (RFC 9113 section 6.8).
  ///
  /// @param lastStream the highest stream that the peer may have processed
  /// @param code the number as received
  /// @param debug the bytes as Latin-1 characters, which may include control characters
  void goAway(int lastStream, int code, String debug) throws Http2Exception;

  /// An increment of at least 1 of a stream's window, or of the connection's window for stream 0.
  void windowUpdate(int stream, int increment) throws Http2Exception;

  /// The priority of a stream as text (RFC 9218 section 7.1).
  void priorityUpdate(int stream, String value) throws Http2Exception;

  /// A frame without an effect: PRIORITY, or a frame of unknown type. It counts against the
  /// budgets.
  void ignored(int type, int length) throws Http2Exception;
}
