package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Platform;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The error numbers of this system, and their meaning for each kind of call.
///
/// - **One method per kind of call**, because the same number has different meanings: EACCES of
///   `bind` is a reserved port, EACCES of `open` a file without permission.
/// - **Numbers stay here**, because they differ between systems. Code outside the gate passes the
///   result of a call to the methods below and never switches on a number.
/// - A `result` is the return value of a method of [Kernel]: a failure is the negated number.
/// - `EBADF` and `EFAULT` are our faults in every call: they throw an [IllegalStateException].
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int EBADF = 9;
  public static final int EAGAIN = number(11, 35);
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOSPC = 28;
  public static final int ESPIPE = 29;
  public static final int EPIPE = 32;
  public static final int ENAMETOOLONG = number(36, 63);
  public static final int ENOSYS = number(38, 78);
  public static final int ELOOP = number(40, 62);
  public static final int EPROTO = number(71, 100);
  public static final int ENOTSOCK = number(88, 38);
  public static final int EDESTADDRREQ = number(89, 39);
  public static final int EMSGSIZE = number(90, 40);
  public static final int EPROTOTYPE = number(91, 41);
  public static final int ENOPROTOOPT = number(92, 42);
  public static final int EPROTONOSUPPORT = number(93, 43);
  public static final int EOPNOTSUPP = number(95, 102);
  public static final int EAFNOSUPPORT = number(97, 47);
  public static final int EADDRINUSE = number(98, 48);
  public static final int EADDRNOTAVAIL = number(99, 49);
  public static final int ENONET = number(64, 51);
  public static final int ENETDOWN = number(100, 50);
  public static final int ENETUNREACH = number(101, 51);
  public static final int ECONNABORTED = number(103, 53);
  public static final int ECONNRESET = number(104, 54);
  public static final int ENOBUFS = number(105, 55);
  public static final int EISCONN = number(106, 56);
  public static final int ENOTCONN = number(107, 57);
  public static final int ETOOMANYREFS = number(109, 59);
  public static final int ETIMEDOUT = number(110, 60);
  public static final int ECONNREFUSED = number(111, 61);
  public static final int EHOSTDOWN = number(112, 64);
  public static final int EHOSTUNREACH = number(113, 65);
  public static final int EALREADY = number(114, 37);
  public static final int EINPROGRESS = number(115, 36);

  private static final @Nullable String[] TEXTS = new @Nullable String[128];

  static {
    text(EPERM, "operation not permitted (EPERM)");
    text(ENOENT, "no such file or directory (ENOENT)");
    text(EINTR, "interrupted (EINTR)");
    text(EIO, "input/output error (EIO)");
    text(EBADF, "bad file descriptor (EBADF)");
    text(EAGAIN, "would block (EAGAIN)");
    text(ENOMEM, "out of memory (ENOMEM)");
    text(EACCES, "permission denied (EACCES)");
    text(EFAULT, "bad address (EFAULT)");
    text(EEXIST, "exists already (EEXIST)");
    text(ENODEV, "no such device (ENODEV)");
    text(ENOTDIR, "not a directory (ENOTDIR)");
    text(EISDIR, "is a directory (EISDIR)");
    text(EINVAL, "invalid argument (EINVAL)");
    text(ENFILE, "too many open files in the system (ENFILE)");
    text(EMFILE, "too many open files, see ulimit -n (EMFILE)");
    text(ENOSPC, "no space left (ENOSPC)");
    text(ESPIPE, "has no positions (ESPIPE)");
    text(EPIPE, "broken pipe (EPIPE)");
    text(ENAMETOOLONG, "name too long (ENAMETOOLONG)");
    text(ENOSYS, "not implemented by this system (ENOSYS)");
    text(ELOOP, "too many symbolic links (ELOOP)");
    text(EPROTO, "protocol error (EPROTO)");
    text(ENOTSOCK, "not a socket (ENOTSOCK)");
    text(EDESTADDRREQ, "no destination address (EDESTADDRREQ)");
    text(EMSGSIZE, "message too long (EMSGSIZE)");
    text(EPROTOTYPE, "the socket at the address is of another type (EPROTOTYPE)");
    text(ENOPROTOOPT, "no such option (ENOPROTOOPT)");
    text(EPROTONOSUPPORT, "protocol not supported (EPROTONOSUPPORT)");
    text(EOPNOTSUPP, "operation not supported (EOPNOTSUPP)");
    text(EAFNOSUPPORT, "address family not supported (EAFNOSUPPORT)");
    text(EADDRINUSE, "address already in use (EADDRINUSE)");
    text(EADDRNOTAVAIL, "address not available (EADDRNOTAVAIL)");
    text(ENETDOWN, "network is down (ENETDOWN)");
    text(ENONET, "no network (ENONET)");
    text(ENETUNREACH, "network unreachable (ENETUNREACH)");
    text(ECONNABORTED, "connection aborted (ECONNABORTED)");
    text(ECONNRESET, "connection reset by peer (ECONNRESET)");
    text(ENOBUFS, "no buffer space (ENOBUFS)");
    text(EISCONN, "already connected (EISCONN)");
    text(ENOTCONN, "not connected (ENOTCONN)");
    text(ETOOMANYREFS, "too many descriptors are under way, see ulimit -n (ETOOMANYREFS)");
    text(ETIMEDOUT, "connection timed out (ETIMEDOUT)");
    text(ECONNREFUSED, "connection refused (ECONNREFUSED)");
    text(EHOSTDOWN, "host is down (EHOSTDOWN)");
    text(EHOSTUNREACH, "no route to host (EHOSTUNREACH)");
    text(EALREADY, "already in progress (EALREADY)");
    text(EINPROGRESS, "in progress (EINPROGRESS)");
  }

  private Errno() {}

  /// The number on this system: that of Linux or of macOS.
  private static int number(int linux, int bsd) {
    return Platform.LINUX ? linux : bsd;
  }

  private static void text(int errno, String text) {
    TEXTS[errno] = text;
  }

  // ---- results that are no failures ----

  /// True if a call on a non-blocking descriptor would block.
  public static boolean wouldBlock(long result) {
    return result == -EAGAIN;
  }

  /// True if a signal ended the call before it had done anything.
  public static boolean isInterrupted(long result) {
    return result == -EINTR;
  }

  /// True if the system does not have the call, or a filter does not let it pass: old seccomp
  /// filters answer an unknown call with EPERM.
  public static boolean isMissingCall(long result) {
    return result == -ENOSYS || result == -EPERM;
  }

  /// True if the protocol of a socket does not have the option.
  public static boolean isMissingOption(long result) {
    return result == -ENOPROTOOPT || result == -EOPNOTSUPP;
  }

  /// True if `connect` continues in the background, also after an interrupt. The caller waits for
  /// writability and then reads the socket's error.
  public static boolean connects(long result) {
    return result == -EINPROGRESS || result == -EINTR;
  }

  /// True if the address of `bind` is in use, or the path of a Unix socket exists.
  public static boolean isInUse(long result) {
    return result == -EADDRINUSE;
  }

  /// True if no socket listens at the address of `connect`.
  public static boolean isRefused(long result) {
    return result == -ECONNREFUSED;
  }

  /// True if the process or the system is out of descriptors or memory. The call can succeed after
  /// a pause, once some are released.
  public static boolean isShortage(long result) {
    long errno = -result;
    return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
  }

  /// True if a failed `accept` concerns the waiting connection and not the listening socket. Linux
  /// reports the errors of a waiting connection in this way; EPERM is a firewall's refusal. The
  /// next `accept` may succeed at once.
  public static boolean concernsOneConnection(long result) {
    long errno = -result;
    return errno == ECONNABORTED
        || errno == ECONNRESET
        || errno == EPROTO
        || errno == EPERM
        || errno == ENETDOWN
        || errno == ENETUNREACH
        || errno == EHOSTDOWN
        || errno == EHOSTUNREACH
        || errno == ENONET
        || errno == ENOPROTOOPT
        || errno == EOPNOTSUPP
        || errno == ETIMEDOUT;
  }

  /// True if a failed send or receive concerns one datagram or destination and not the socket: the
  /// message was too long, its destination is unreachable or refused an earlier message (reported
  /// by ICMP on a connected socket), or a firewall dropped it.
  public static boolean concernsOneMessage(long result) {
    long errno = -result;
    return errno == EMSGSIZE
        || errno == ECONNREFUSED
        || errno == EPERM
        || errno == EACCES
        || errno == EINVAL
        || errno == EIO
        || errno == EDESTADDRREQ
        || errno == ENOTCONN
        || errno == ENOENT
        || errno == EAFNOSUPPORT
        || errno == EADDRNOTAVAIL
        || errno == ENETDOWN
        || errno == ENETUNREACH
        || errno == EHOSTDOWN
        || errno == EHOSTUNREACH
        || errno == EPROTOTYPE
        || errno == ETOOMANYREFS
        || errno == ECONNRESET;
  }

  /// True if the kernel does not split a message into datagrams: they exceed the MTU, the socket
  /// has no checksums, or the route does not support it.
  public static boolean refusesSplitting(long result) {
    long errno = -result;
    return errno == EINVAL || errno == EIO || errno == EMSGSIZE;
  }

  // ---- failures ----

  /// The failure of a socket call without a separate method: a read, a write, an option. A timeout
  /// is that of an established connection whose peer no longer acknowledges.
  public static IOException failure(String call, long result) {
    return new SocketException(text(call, result));
  }

  /// The failure of `bind` or `listen`.
  ///
  /// @param what the failed operation, for the message: `cannot listen on /127.0.0.1:80`
  public static IOException bindFailure(String what, long result) {
    String text = text(what, result);
    long errno = -result;
    return errno == EADDRINUSE
            || errno == EADDRNOTAVAIL
            || errno == EACCES
            || errno == EPERM
            || errno == ENOENT
        ? new BindException(text)
        : new SocketException(text);
  }

  /// The failure of `connect`, or the socket's error after it.
  ///
  /// @param what the failed operation, for the message: `cannot connect to /127.0.0.1:80`
  public static IOException connectFailure(String what, long result) {
    String text = text(what, result);
    long errno = -result;
    if (errno == ENETUNREACH || errno == EHOSTUNREACH || errno == ENETDOWN || errno == EHOSTDOWN) {
      return new NoRouteToHostException(text);
    }
    if (errno == EADDRNOTAVAIL || errno == EADDRINUSE) {
      return new BindException(text + ", no local address or port");
    }
    return isShortage(result) ? new SocketException(text) : new ConnectException(text);
  }

  /// The failure of a call on a file.
  public static IOException fileFailure(Path path, long result) {
    refuseBug(path.toString(), result);
    String reason = describe((int) -result);
    long errno = -result;
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) {
      return new NoSuchFileException(path.toString(), null, reason);
    }
    if (errno == EACCES || errno == EPERM) {
      return new AccessDeniedException(path.toString(), null, reason);
    }
    return new FileSystemException(path.toString(), null, reason);
  }

  /// A failure that only our fault can cause.
  public static IllegalStateException bug(String call, long result) {
    return new IllegalStateException(call + " failed with " + describe((int) -result));
  }

  private static void refuseBug(String what, long result) {
    if (result == -EBADF || result == -EFAULT) {
      throw bug(what, result);
    }
  }

  private static String text(String what, long result) {
    refuseBug(what, result);
    return what + ": " + describe((int) -result);
  }

  /// The text of an error for messages: description and name, or the number.
  public static String describe(int errno) {
    @Nullable String text = errno >= 0 && errno < TEXTS.length ? TEXTS[errno] : null;
    return text == null ? "error " + errno : text;
  }
}
