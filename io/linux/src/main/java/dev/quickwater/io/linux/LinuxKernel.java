package dev.quickwater.io.linux;

import dev.quickwater.io.posix.Kernel;

/// System calls that only Linux has; the rules of [Kernel] hold.
@SuppressWarnings("exports") // for the benchmarks; the package of Kernel has qualified exports
public interface LinuxKernel extends Kernel {

  /// Accepts a connection as a non-blocking, close-on-exec descriptor; the address may be null (0).
  int accept4(int fd, long address, long lengthAddress, int flags);

  int epollCreate(int flags);

  /// `event` is the address of an `epoll_event`, or 0 for a deletion.
  int epollControl(int epoll, int operation, int fd, long event);

  /// Not retried on `EINTR`, which is returned: the caller recomputes its timeout.
  int epollWait(int epoll, long events, int maxEvents, int timeoutMillis);

  /// Like [#epollWait] with a timeout in nanoseconds; `-ENOSYS` from kernels before 5.11 and C
  /// libraries that have no such function.
  ///
  /// @param timeout the address of a `timespec`
  int epollWaitNanos(int epoll, long events, int maxEvents, long timeout);

  int timerfdCreate(int clock, int flags);

  /// Sets a timer as the `itimerspec` at `value` says.
  int timerfdSet(int fd, int flags, long value);

  /// Changes a descriptor or duplicates it.
  int fcntl(int fd, int command, long argument);

  int eventfd(int initial, int flags);

  /// Sends from a file at the position stored at `offsetAddress`, which the kernel advances.
  long sendfile(int socket, int file, long offsetAddress, long count);

  /// Sends the messages of `count` `mmsghdr` in order, and stops at the first that fails.
  ///
  /// @return how many were sent; the negated errno only if the first failed
  int sendmmsg(int fd, long messages, int count, int flags);

  /// Receives messages into at most `count` `mmsghdr` without waiting for more than there are.
  int recvmmsg(int fd, long messages, int count, int flags);
}
