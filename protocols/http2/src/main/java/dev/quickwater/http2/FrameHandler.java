package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;

/// Receives the frames of a connection in their order. Numbers are validated as far as one frame
/// alone allows.
interface FrameHandler {

  /// A part of the payload of a DATA frame. The handler owns `bytes`.
  ///
  /// @param padding bytes of padding, and of its length, that came with this part; they count
  ///   against the windows as the bytes do
  /// @param endStream true with the last part of a frame that ends the stream
  void data(int stream, ByteBuf bytes, int padding, boolean endStream) throws Http2Exception;

  /// A whole header block, of a HEADERS frame and its CONTINUATION frames. The array is valid
  /// during the call.
  void headers(int stream, byte[] block, int length, boolean endStream) throws Http2Exception;

  /// The header block of a stream that is refused. It is decoded because the compression tables
  /// must follow it; an error of the stream follows.
  void malformedHeaders(byte[] block, int length) throws Http2Exception;

  /// A promised request of a server.
  void pushPromise(int stream, int promised, byte[] block, int length) throws Http2Exception;

  void reset(int stream, int code) throws Http2Exception;

  /// One setting. [#settingsEnd] follows the last one of a frame.
  void setting(int id, long value) throws Http2Exception;

  void settingsEnd() throws Http2Exception;

  void settingsAck() throws Http2Exception;

  void ping(long data) throws Http2Exception;

  void pingAck(long data) throws Http2Exception;

  void goAway(int lastStream, int code, String debug) throws Http2Exception;

  /// An increment of a window, at least 1; of the connection for stream 0.
  void windowUpdate(int stream, int increment) throws Http2Exception;

  /// The priority of a stream as text (RFC 9218 section 7.1).
  void priorityUpdate(int stream, String value) throws Http2Exception;

  /// A frame without an effect: PRIORITY, or an unknown type. It counts against budgets.
  void ignored(int type, int length) throws Http2Exception;
}
