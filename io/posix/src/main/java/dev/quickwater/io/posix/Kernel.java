package dev.quickwater.io.posix;

/// System calls shared by the POSIX transports, as the kernel sees them.
///
/// - **Failures are values.** Every method returns a result of zero or more, or the negated error
///   number ([Errno]); nothing throws for what a peer or the system can cause.
/// - `EINTR` is retried inside, except for [#close] (never retried: the descriptor is gone either
///   way) and [#connect] (connecting continues in the background: wait for writability and read
///   `SO_ERROR`).
/// - Impossible errors (`EBADF`, `EFAULT`) on a call that a transport makes with its own descriptor
///   are bugs; transports hand them to [Errno#bug].
/// - **Thread:** any thread calls; errors are captured for each thread. The object that a call acts
///   on may have a stricter rule.
/// - Addresses are raw native addresses; their owner keeps them valid during the call.
///
/// It is an interface so that tests can script a kernel: partial writes, spurious wake-ups, errors.
public interface Kernel {

  /// Creates a socket; `type` may carry non-blocking and close-on-exec flags where the system has
  /// them.
  int socket(int domain, int type, int protocol);

  int bind(int fd, long address, int length);

  int listen(int fd, int backlog);

  /// Not retried on `EINTR`, which is returned.
  int connect(int fd, long address, int length);

  int getsockname(int fd, long address, long lengthAddress);

  int getpeername(int fd, long address, long lengthAddress);

  int setsockopt(int fd, int level, int option, long value, int length);

  int getsockopt(int fd, int level, int option, long value, long lengthAddress);

  /// Reads at most `length` bytes; 0 is the end of the stream.
  long read(int fd, long address, long length);

  long write(int fd, long address, long length);

  /// Writes `count` regions that an iovec array at `iovecs` describes.
  long writev(int fd, long iovecs, int count);

  /// Reads from a socket: [#read] without the detour through the file layer.
  long recv(int fd, long address, long length, int flags);

  /// Writes to a socket; with `MSG_NOSIGNAL` a closed peer is an error and no signal.
  long send(int fd, long address, long length, int flags);

  /// Sends the message that the `msghdr` at `message` describes.
  long sendmsg(int fd, long message, int flags);

  /// Receives a message as the `msghdr` at `message` describes, which the call updates.
  long recvmsg(int fd, long message, int flags);

  /// Creates two connected sockets; their descriptors are written as two `int` to `pairAddress`.
  int socketpair(int domain, int type, int protocol, long pairAddress);

  int shutdown(int fd, int how);

  /// Closes a descriptor once; `EINTR` counts as closed.
  int close(int fd);

  /// Opens a file whose zero-terminated path is at `path`.
  int open(long path, int flags);

  /// Moves the file position; used to read a file's size.
  long lseek(int fd, long offset, int whence);

  /// Reads at most `length` bytes at a position of a file.
  long pread(int fd, long address, long length, long offset);
}
