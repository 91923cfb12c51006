package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.UnixAddresses;
import dev.quickwater.system.Memory;
import dev.quickwater.system.Platform;
import java.nio.ByteOrder;

/// The native memory for the system calls of one poller: events, iovecs, an address, small values,
/// and space to copy array buffers.
final class Scratch {

  /// The maximum number of events per call; further events come with the next.
  static final int EVENTS = 256;

  /// The maximum number of regions of one gathering write (IOV_MAX).
  static final int IOVECS = 1024;

  static final int COPY_SIZE = 64 << 10;

  /// `epoll_event` is packed on x86-64 alone.
  static final int EVENT_SIZE = Platform.AMD64 ? 12 : 16;

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int DATA_OFFSET = EVENT_SIZE - 8;
  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private static final int VALUE_SIZE = 16;
  private static final int LENGTH_SIZE = 8;
  private static final int ADDRESS_SIZE = UnixAddresses.SIZE + 7 & -8;
  private static final int TIMER_SIZE = 32;
  private static final int SMALL = VALUE_SIZE + LENGTH_SIZE + ADDRESS_SIZE + TIMER_SIZE;

  private final ByteBuf memory;
  final long events;

  /// Memory for the event of `epoll_ctl`; separate from [#events], which are still being handled.
  private final long control;

  final long iovecs;
  final long copy;

  /// Memory for a socket address of any family.
  final long address;

  /// Memory for an `itimerspec`, whose second half also serves as a `timespec`.
  private final long timer;

  /// Memory for one `long`, also used as `int` and `socklen_t`.
  final long value;

  /// Memory for the length of [#address] or [#value].
  final long length;

  Scratch() {
    int eventBytes = (EVENTS + 1) * EVENT_SIZE;
    int iovecBytes = IOVECS * 16;
    memory = ByteBufAllocator.shared().allocate(eventBytes + iovecBytes + COPY_SIZE + SMALL);
    iovecs = UnsafeViews.address(memory, 0);
    copy = iovecs + iovecBytes;
    value = copy + COPY_SIZE;
    length = value + VALUE_SIZE;
    address = length + LENGTH_SIZE;
    timer = address + ADDRESS_SIZE;
    control = timer + TIMER_SIZE;
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

  /// A `timespec`.
  long timespec(long nanos) {
    long at = timer + TIMER_SIZE / 2;
    putLong(at, nanos / NANOS_PER_SECOND);
    putLong(at + 8, nanos % NANOS_PER_SECOND);
    return at;
  }

  /// An `itimerspec` that fires once.
  long timer(long nanos) {
    putLong(timer, 0);
    putLong(timer + 8, 0);
    timespec(nanos);
    return timer;
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
