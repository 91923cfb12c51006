package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.SocketAddresses;
import dev.quickwater.system.Memory;
import dev.quickwater.system.Platform;
import java.nio.ByteOrder;

/// Native memory that one poller's system calls read and write: events, iovecs, an address, small
/// values, and room to copy array buffers into.
final class Scratch {

  /// Events taken in one call; what does not fit comes with the next.
  static final int EVENTS = 256;

  /// Most regions of one gathering write (IOV_MAX).
  static final int IOVECS = 1024;

  static final int COPY_SIZE = 64 << 10;

  /// `epoll_event` is packed on x86-64 alone.
  static final int EVENT_SIZE = Platform.AMD64 ? 12 : 16;

  private static final int DATA_OFFSET = EVENT_SIZE - 8;
  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final ByteBuf memory;
  final long events;

  /// Room for the one event of `epoll_ctl`, apart from [#events], which are still being handled.
  private final long control;

  final long iovecs;
  final long copy;

  /// Room for a socket address.
  final long address;

  /// Room for one `long`, also used as `int` and `socklen_t`.
  final long value;

  /// Room for the length of [#address] or [#value].
  final long length;

  Scratch() {
    int eventBytes = (EVENTS + 1) * EVENT_SIZE;
    int iovecBytes = IOVECS * 16;
    memory = ByteBufAllocator.shared().allocate(eventBytes + iovecBytes + COPY_SIZE + 64);
    iovecs = UnsafeViews.address(memory, 0);
    copy = iovecs + iovecBytes;
    value = copy + COPY_SIZE;
    length = value + 16;
    address = length + 8;
    control = address + SocketAddresses.SIZE + 4;
    events = control + EVENT_SIZE;
  }

  int eventMask(int index) {
    return getInt(events + (long) index * EVENT_SIZE);
  }

  long eventData(int index) {
    return getLong(events + (long) index * EVENT_SIZE + DATA_OFFSET);
  }

  /// An event for `epoll_ctl`.
  long event(int mask, long data) {
    putInt(control, mask);
    putLong(control + DATA_OFFSET, data);
    return control;
  }

  void iovec(int index, long base, long bytes) {
    long at = iovecs + index * 16L;
    putLong(at, base);
    putLong(at + 8, bytes);
  }

  static int getInt(long at) {
    return LITTLE ? Memory.getIntLE(at, 0) : Memory.getInt(at, 0);
  }

  static void putInt(long at, int value) {
    if (LITTLE) {
      Memory.putIntLE(at, 0, value);
    } else {
      Memory.putInt(at, 0, value);
    }
  }

  static void putShort(long at, short value) {
    if (LITTLE) {
      Memory.putShortLE(at, 0, value);
    } else {
      Memory.putShort(at, 0, value);
    }
  }

  static long getLong(long at) {
    return LITTLE ? Memory.getLongLE(at, 0) : Memory.getLong(at, 0);
  }

  static void putLong(long at, long value) {
    if (LITTLE) {
      Memory.putLongLE(at, 0, value);
    } else {
      Memory.putLong(at, 0, value);
    }
  }

  void close() {
    memory.release();
  }
}
