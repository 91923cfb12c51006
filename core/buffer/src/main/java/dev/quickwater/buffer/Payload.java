package dev.quickwater.buffer;

/// What a transport can write. Whoever receives a payload owns it: forwards it, keeps it or
/// releases it.
public sealed interface Payload permits ByteBuf, CompositeByteBuf, FileRegion {

  /// Bytes that writing this payload would send; never negative.
  long size();

  /// Gives the payload up; called once by its holder.
  ///
  /// @throws IllegalStateException if it was released before
  void release();
}
