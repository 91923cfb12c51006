package dev.quickwater.io.posix;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/// Error numbers of Linux on x86-64 and aarch64, and what they mean to a caller.
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int EPIPE = 32;
  public static final int ELOOP = 40;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETUNREACH = 101;
  public static final int ECONNABORTED = 103;
  public static final int ECONNRESET = 104;
  public static final int ENOBUFS = 105;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTUNREACH = 113;
  public static final int EINPROGRESS = 115;

  private Errno() {}

  /// The exception for a failed call: `result` is what the gate returned, below zero.
  public static IOException failure(String call, long result) {
    int errno = (int) -result;
    String text = call + ": " + describe(errno);
    return switch (errno) {
      case EBADF, EFAULT -> throw bug(call, result);
      case EADDRINUSE, EADDRNOTAVAIL, EACCES -> new BindException(text);
      case ECONNREFUSED, ETIMEDOUT -> new ConnectException(text);
      case ENETUNREACH, EHOSTUNREACH -> new NoRouteToHostException(text);
      case EPIPE, ECONNRESET -> new SocketException(text);
      default -> new IOException(text);
    };
  }

  /// A failure that only a fault of ours can cause.
  public static IllegalStateException bug(String call, long result) {
    return new IllegalStateException(call + " failed with " + describe((int) -result));
  }

  /// The name and number of an error, for people.
  public static String describe(int errno) {
    return switch (errno) {
      case EPERM -> "operation not permitted (EPERM)";
      case ENOENT -> "no such file or directory (ENOENT)";
      case EINTR -> "interrupted (EINTR)";
      case EBADF -> "bad file descriptor (EBADF)";
      case EAGAIN -> "would block (EAGAIN)";
      case ENOMEM -> "out of memory (ENOMEM)";
      case EACCES -> "permission denied (EACCES)";
      case EFAULT -> "bad address (EFAULT)";
      case EISDIR -> "is a directory (EISDIR)";
      case EINVAL -> "invalid argument (EINVAL)";
      case ENFILE -> "too many open files in the system (ENFILE)";
      case EMFILE -> "too many open files, see ulimit -n (EMFILE)";
      case EPIPE -> "broken pipe (EPIPE)";
      case ELOOP -> "too many symbolic links (ELOOP)";
      case EADDRINUSE -> "address already in use (EADDRINUSE)";
      case EADDRNOTAVAIL -> "address not available (EADDRNOTAVAIL)";
      case ENETUNREACH -> "network unreachable (ENETUNREACH)";
      case ECONNABORTED -> "connection aborted (ECONNABORTED)";
      case ECONNRESET -> "connection reset by peer (ECONNRESET)";
      case ENOBUFS -> "no buffer space (ENOBUFS)";
      case ENOTCONN -> "not connected (ENOTCONN)";
      case ETIMEDOUT -> "connection timed out (ETIMEDOUT)";
      case ECONNREFUSED -> "connection refused (ECONNREFUSED)";
      case EHOSTUNREACH -> "no route to host (EHOSTUNREACH)";
      case EINPROGRESS -> "in progress (EINPROGRESS)";
      default -> "error " + errno;
    };
  }
}
