package dev.quickwater.io.linux.gate;

import dev.quickwater.io.posix.Kernel;

/// The system calls that only Linux has. The rules of [Kernel] apply.
public interface LinuxKernel extends Kernel {

  /// Accepts a connection as a non-blocking, close-on-exec descriptor; the address may be null (0).
  int accept4(int fd, long address, long lengthAddress, int flags);

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

  /// Changes a descriptor or duplicates it.
  int fcntl(int fd, int command, long argument);

  int eventfd(int initial, int flags);

  /// Sends from a file at the position stored at `offsetAddress`, which the kernel advances.
  long sendfile(int socket, int file, long offsetAddress, long count);

  /// Sends the messages of `count` `mmsghdr` in order, and stops at the first failure.
  ///
  /// @return the number of sent messages; the negated errno only if the first failed
  int sendmmsg(int fd, long messages, int count, int flags);

  /// Receives messages into at most `count` `mmsghdr`; returns when none wait.
  int recvmmsg(int fd, long messages, int count, int flags);
}
