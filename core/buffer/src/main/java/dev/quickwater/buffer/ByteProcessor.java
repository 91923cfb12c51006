package dev.quickwater.buffer;

/// Receives bytes one after another, see [ByteBuf#forEachByte].
@FunctionalInterface
public interface ByteProcessor {

  /// Processes the next byte.
  ///
  /// @return true to continue, false to stop at this byte
  boolean process(byte value);
}
