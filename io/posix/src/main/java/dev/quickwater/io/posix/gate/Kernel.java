package dev.quickwater.io.posix.gate;

/// The system calls that POSIX transports share.
///
/// - **Failures are values.** Every method returns a result of zero or more, or the negated error
///   number ([Errno]). No method throws for a failure that a peer or the system can cause.
/// - `EINTR` is retried, except by [#close] (the descriptor is closed in any case) and [#connect]
///   (connecting continues in the background: the caller waits for writability and reads
///   `SO_ERROR`).
/// - `EBADF` and `EFAULT` on a transport's descriptor are bugs; transports pass them to
///   [Errno#bug].
/// - **Thread:** any thread may call; errors are captured per thread. The object that a call acts
///   on may have a stricter rule.
/// - Addresses are raw native addresses. The caller keeps the memory valid during the call.
///
/// An interface, because tests script a kernel: partial writes, spurious wake-ups, errors.
public interface Kernel {

  /// Creates a non-blocking, close-on-exec socket.
  int socket(int domain, int type, int protocol);

  int bind(int fd, long address, int length);

  int listen(int fd, int backlog);

  /// Accepts a connection as a non-blocking, close-on-exec descriptor; the address may be null (0).
  int accept(int fd, long address, long lengthAddress);

  /// Returns `EINTR` without a retry.
  int connect(int fd, long address, int length);

  int getsockname(int fd, long address, long lengthAddress);

  int getpeername(int fd, long address, long lengthAddress);

  int setsockopt(int fd, int level, int option, long value, int length);

  int getsockopt(int fd, int level, int option, long value, long lengthAddress);

  /// Reads at most `length` bytes. 0 is the end of the stream.
  long read(int fd, long address, long length);

  long write(int fd, long address, long length);

  /// Writes the `count` regions of the iovec array at `iovecs`.
  long writev(int fd, long iovecs, int count);

  /// Reads from a socket, like [#read] without the kernel's file layer.
  long recv(int fd, long address, long length, int flags);

  /// Writes to a socket. With `MSG_NOSIGNAL` a closed peer causes an error instead of a signal.
  long send(int fd, long address, long length, int flags);

  /// Sends the message of the `msghdr` at `message`.
  long sendmsg(int fd, long message, int flags);

  /// Receives a message into the `msghdr` at `message`, which the call updates.
  long recvmsg(int fd, long message, int flags);

  /// Sends the messages of `count` `mmsghdr` in order, and stops at the first failure. A system
  /// without such a call sends one by one.
  ///
  /// @return the number of sent messages; the negated errno only if the first failed
  int sendmmsg(int fd, long messages, int count, int flags);

  /// Receives messages into at most `count` `mmsghdr`; returns when none wait. A system without
  /// such a call receives one by one; a pending error behind received messages is then lost.
  int recvmmsg(int fd, long messages, int count, int flags);

  /// Sends from a file at the position stored at `offsetAddress`, which the kernel may advance.
  /// Returns `-ENOSYS` if the system has no such call: the caller copies the bytes.
  long sendfile(int socket, int file, long offsetAddress, long count);

  /// Creates two connected non-blocking, close-on-exec sockets and writes their descriptors as two
  /// `int` to `pairAddress`.
  int socketpair(int domain, int type, int protocol, long pairAddress);

  int shutdown(int fd, int how);

  /// Closes a descriptor. `EINTR` counts as closed.
  int close(int fd);

  /// Changes a descriptor or duplicates it.
  int fcntl(int fd, int command, long argument);

  /// Makes a descriptor non-blocking and close-on-exec, like those of this gate.
  default int prepare(int fd) {
    int result = fcntl(fd, SocketConstants.F_SETFD, SocketConstants.FD_CLOEXEC);
    if (result >= 0) {
      result = fcntl(fd, SocketConstants.F_GETFL, 0);
    }
    return result < 0
        ? result
        : fcntl(fd, SocketConstants.F_SETFL, result | SocketConstants.O_NONBLOCK);
  }

  /// Opens the file with the zero-terminated path at `path`.
  int open(long path, int flags);

  /// Moves the file position. Used to read a file's size.
  long lseek(int fd, long offset, int whence);

  /// Reads at most `length` bytes at a position of a file.
  long pread(int fd, long address, long length, long offset);
}
