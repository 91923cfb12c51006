package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The input of a connection: a read-only memory BIO without memory. [#point] lets it read bytes
/// where they are.
final class InputBio {

  /// `struct buf_mem_st` of the public header `openssl/buffer.h`, in all supported versions.
  private static final StructLayout BUF_MEM =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_LONG.withName("length"),
          ValueLayout.ADDRESS.withName("data"),
          ValueLayout.JAVA_LONG.withName("max"),
          ValueLayout.JAVA_LONG.withName("flags"));

  private static final int LENGTH = offset("length");
  private static final int DATA = offset("data");
  private static final int MAX = offset("max");
  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private InputBio() {}

  private static int offset(String field) {
    return (int) BUF_MEM.byteOffset(PathElement.groupElement(field));
  }

  /// The BUF_MEM of a read-only memory BIO. An empty BIO reports "retry" instead of the end.
  static long bufMem(long bio) {
    LibSsl.BIO_ctrl.call(bio, LibSsl.BIO_C_SET_BUF_MEM_EOF_RETURN, -1, 0);
    CallFrame frame = CallFrame.current();
    long pointer = frame.small();
    LibSsl.BIO_ctrl.call(bio, LibSsl.BIO_C_GET_BUF_MEM_PTR, 0, pointer);
    return CallFrame.getLong(pointer);
  }

  /// Lets the BIO read `length` bytes at an address, which must stay valid until the BIO has read
  /// them or is pointed elsewhere.
  static void point(long bufMem, long address, int length) {
    put(bufMem, LENGTH, length);
    put(bufMem, DATA, address);
    put(bufMem, MAX, length);
  }

  /// Makes the BIO empty.
  static void clear(long bufMem) {
    put(bufMem, LENGTH, 0);
  }

  private static void put(long address, int offset, long value) {
    if (LITTLE) {
      Memory.putLongLE(address, offset, value);
    } else {
      Memory.putLong(address, offset, value);
    }
  }
}
