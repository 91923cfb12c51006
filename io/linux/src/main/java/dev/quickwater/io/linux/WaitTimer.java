package dev.quickwater.io.linux;

import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.posix.gate.Errno;
import java.io.IOException;

/// A timer descriptor that ends waits of an epoll instance: the waits need no timeout.
///
/// A wait with a timeout arms a kernel timer each time: about 120 ns, and twice as much with a
/// timeout in nanoseconds. Setting this timer costs more, but it stays set while events end the
/// waits, and the earliest deadline of a loop that serves requests, a keep-alive, is far ahead. The
/// timer is therefore set only if it would fire too late: after it has fired, or for an earlier
/// deadline. After a deadline has moved later, one wait ends early and the loop waits again.
///
/// Loop only.
final class WaitTimer {

  private static final int CLOCK_MONOTONIC = 1;
  private static final int TFD_NONBLOCK = 0x800;
  private static final int TFD_CLOEXEC = 0x80000;

  private final LinuxKernel kernel;
  private final EpollMemory memory;
  private final int fd;
  private boolean isSet;

  /// The earliest time at which the timer fires, by the system's clock.
  private long firesAt;

  private WaitTimer(LinuxKernel kernel, EpollMemory memory, int fd) {
    this.kernel = kernel;
    this.memory = memory;
    this.fd = fd;
  }

  static WaitTimer open(LinuxKernel kernel, EpollMemory memory) throws IOException {
    int fd = kernel.timerfdCreate(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (fd < 0) {
      throw Errno.failure("timerfd_create", fd);
    }
    return new WaitTimer(kernel, memory, fd);
  }

  int fd() {
    return fd;
  }

  /// Sets the timer to fire within `nanos`, which must be positive.
  void fireWithin(long nanos) {
    long now = System.nanoTime();
    long deadline = now + nanos;
    if (isSet && firesAt - now > 0 && firesAt - deadline <= 0) {
      return;
    }
    int result = kernel.timerfdSet(fd, 0, memory.timer(nanos));
    if (result < 0) {
      throw Errno.bug("timerfd_settime", result);
    }
    isSet = true;
    firesAt = deadline;
  }

  void close() {
    kernel.close(fd);
  }
}
