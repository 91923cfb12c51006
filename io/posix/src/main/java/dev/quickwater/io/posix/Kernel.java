package dev.quickwater.io.posix;

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

  /// Creates a socket. `type` may include the flags for non-blocking and close-on-exec if the
  /// system has them.
  int socket(int domain, int type, int protocol);

  int bind(int fd, long address, int length);

  int listen(int fd, int backlog);

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

  /// Creates two connected sockets and writes their descriptors as two `int` to `pairAddress`.
  int socketpair(int domain, int type, int protocol, long pairAddress);

  int shutdown(int fd, int how);

  /// Closes a descriptor. `EINTR` counts as closed.
  int close(int fd);

  /// Opens the file with the zero-terminated path at `path`.
  int open(long path, int flags);

  /// Moves the file position. Used to read a file's size.
  long lseek(int fd, long offset, int whence);

  /// Reads at most `length` bytes at a position of a file.
  long pread(int fd, long address, long length, long offset);
}
