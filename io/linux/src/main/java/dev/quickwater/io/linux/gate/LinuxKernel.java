package dev.quickwater.io.linux.gate;

import dev.quickwater.io.posix.gate.Kernel;

/// The system calls that only Linux has. The rules of [Kernel] apply.
public interface LinuxKernel extends Kernel {

  int epollCreate(int flags);

  /// `event` is the address of an `epoll_event`, or 0 for a deletion.
  int epollControl(int epoll, int operation, int fd, long event);

  /// Returns `EINTR` without a retry: the caller recomputes its timeout.
  int epollWait(int epoll, long events, int maxEvents, int timeoutMillis);

  /// Like [#epollWait] with a timeout in nanoseconds. Returns `-ENOSYS` on kernels before 5.11 and
  /// with C libraries that lack the function.
  ///
  /// @param timeout the address of a `timespec`
  int epollWaitNanos(int epoll, long events, int maxEvents, long timeout);

  int timerfdCreate(int clock, int flags);

  /// Sets a timer to the `itimerspec` at `value`.
  int timerfdSet(int fd, int flags, long value);

  int eventfd(int initial, int flags);
}
