package dev.quickwater.buffer;

/// Is shown bytes one after another, see [ByteBuf#forEachByte].
@FunctionalInterface
public interface ByteProcessor {

  /// Takes the next byte.
  ///
  /// @return true to go on, false to stop at this byte
  boolean process(byte value);
}
