package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.UnixAddresses;

/// The native memory for the system calls on the sockets of one loop: iovecs, an address, small
/// values, and space to copy array buffers.
final class Scratch {

  /// The maximum number of regions of one gathering write (IOV_MAX).
  static final int IOVECS = 1024;

  static final int COPY_SIZE = 64 << 10;

  private static final int VALUE_SIZE = 16;
  private static final int LENGTH_SIZE = 8;
  private static final int ADDRESS_SIZE = UnixAddresses.SIZE + 7 & -8;
  private static final int SMALL = VALUE_SIZE + LENGTH_SIZE + ADDRESS_SIZE;

  private final ByteBuf memory;
  final long iovecs;
  final long copy;

  /// Memory for one `long`, also used as `int` and `socklen_t`.
  final long value;

  /// Memory for the length of [#address] or [#value].
  final long length;

  /// Memory for a socket address of any family.
  final long address;

  Scratch() {
    int iovecBytes = IOVECS * 16;
    memory = ByteBufAllocator.shared().allocate(iovecBytes + COPY_SIZE + SMALL);
    iovecs = UnsafeViews.address(memory, 0);
    copy = iovecs + iovecBytes;
    value = copy + COPY_SIZE;
    length = value + VALUE_SIZE;
    address = length + LENGTH_SIZE;
  }

  void iovec(int index, long base, long bytes) {
    long at = iovecs + index * 16L;
    NativeOrder.putLong(at, base);
    NativeOrder.putLong(at + 8, bytes);
  }

  void close() {
    memory.release();
  }
}
