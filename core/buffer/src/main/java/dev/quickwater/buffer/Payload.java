package dev.quickwater.buffer;

/// What a transport can write. A receiver of a payload owns it: it forwards, keeps or releases the
/// payload.
public sealed interface Payload permits ByteBuf, CompositeByteBuf, FileRegion {

  /// Bytes that writing this payload would send; never negative.
  long size();

  /// Releases the payload. Its holder calls this once.
  ///
  /// @throws IllegalStateException if it was released before
  void release();
}
