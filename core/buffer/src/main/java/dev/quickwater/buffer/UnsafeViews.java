package dev.quickwater.buffer;

import dev.quickwater.buffer.memory.Raw;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The bare memory of a buffer, for transports and native calls.
///
/// **The result is not bound to the lifetime of the buffer.** It must not be used after the handle
/// was released or has grown, and nothing checks this. Bytes that another handle sees must not be
/// written: after [ByteBuf#ensureWritable], only the bytes behind the writer index may be. Code
/// without native calls should use [Views].
public final class UnsafeViews {

  private UnsafeViews() {}

  /// True when the bytes are in native memory and have an [#address]; otherwise they are in an
  /// [#array].
  public static boolean isNative(ByteBuf buffer) {
    return buffer.array == null;
  }

  /// The native address of an index from 0 to the capacity.
  ///
  /// @throws UnsupportedOperationException for array memory
  public static long address(ByteBuf buffer, int index) {
    buffer.checkRange(index, 0);
    if (buffer.array != null) {
      throw new UnsupportedOperationException("the buffer is in an array, not in native memory");
    }
    return buffer.address + index;
  }

  /// The array behind the buffer; index 0 of the buffer is at [#arrayOffset].
  ///
  /// @throws UnsupportedOperationException for native memory
  public static byte[] array(ByteBuf buffer) {
    buffer.requireLive();
    byte[] array = buffer.array;
    if (array == null) {
      throw new UnsupportedOperationException("the buffer is in native memory, not in an array");
    }
    return array;
  }

  /// The index in [#array] at which the buffer begins.
  ///
  /// @throws UnsupportedOperationException for native memory
  public static int arrayOffset(ByteBuf buffer) {
    array(buffer);
    return (int) buffer.address;
  }

  /// A `ByteBuffer` on `length` bytes at an index, its position 0.
  public static ByteBuffer byteBuffer(ByteBuf buffer, int index, int length) {
    buffer.checkRange(index, length);
    return Raw.view(buffer.array, buffer.address + index, length);
  }

  /// A segment on `length` bytes at an index.
  public static MemorySegment segment(ByteBuf buffer, int index, int length) {
    buffer.checkRange(index, length);
    return Raw.segment(buffer.array, buffer.address + index, length);
  }
}
