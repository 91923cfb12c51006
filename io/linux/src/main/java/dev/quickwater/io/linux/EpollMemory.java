package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.system.Platform;

/// The native memory with which one loop waits: events, a timer, and the number that wakes the
/// loop.
final class EpollMemory {

  /// The maximum number of events per call; further events come with the next.
  static final int EVENTS = 256;

  /// `epoll_event` is packed on x86-64 alone.
  static final int EVENT_SIZE = Platform.AMD64 ? 12 : 16;

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int DATA_OFFSET = EVENT_SIZE - 8;
  private static final int TIMER_SIZE = 32;

  private final ByteBuf memory;

  /// Memory for an `itimerspec`, whose second half also serves as a `timespec`.
  private final long timer;

  /// The number 1, as a `long`.
  final long one;

  /// Memory for the event of `epoll_ctl`; separate from [#events], which are still being handled.
  private final long control;

  final long events;

  EpollMemory() {
    memory =
        ByteBufAllocator.shared().allocate(TIMER_SIZE + Long.BYTES + (EVENTS + 1) * EVENT_SIZE);
    timer = UnsafeViews.address(memory, 0);
    one = timer + TIMER_SIZE;
    control = one + Long.BYTES;
    events = control + EVENT_SIZE;
    NativeOrder.putLong(one, 1);
  }

  int eventMask(int index) {
    return NativeOrder.getInt(events + (long) index * EVENT_SIZE);
  }

  long eventData(int index) {
    return NativeOrder.getLong(events + (long) index * EVENT_SIZE + DATA_OFFSET);
  }

  /// An event for `epoll_ctl`.
  long event(int mask, long data) {
    NativeOrder.putInt(control, mask);
    NativeOrder.putLong(control + DATA_OFFSET, data);
    return control;
  }

  /// A `timespec`.
  long timespec(long nanos) {
    long at = timer + TIMER_SIZE / 2;
    NativeOrder.putLong(at, nanos / NANOS_PER_SECOND);
    NativeOrder.putLong(at + 8, nanos % NANOS_PER_SECOND);
    return at;
  }

  /// An `itimerspec` that fires once.
  long timer(long nanos) {
    NativeOrder.putLong(timer, 0);
    NativeOrder.putLong(timer + 8, 0);
    timespec(nanos);
    return timer;
  }

  void close() {
    memory.release();
  }
}
