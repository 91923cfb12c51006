package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.IPPROTO_IP;
import static dev.quickwater.io.posix.SocketConstants.IPPROTO_TCP;
import static dev.quickwater.io.posix.SocketConstants.SOL_SOCKET;

import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.SocketConstants;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import org.jspecify.annotations.Nullable;

/// The options of `java.net` as the kernel's.
final class SocketOptions {

  private SocketOptions() {}

  static <T> void set(EpollPoller poller, int fd, SocketOption<T> option, Object value)
      throws IOException {
    if (option.equals(StandardSocketOptions.SO_LINGER)) {
      int seconds = (Integer) value;
      Scratch.putInt(poller.scratch.value, seconds < 0 ? 0 : 1);
      Scratch.putInt(poller.scratch.value + 4, Math.max(seconds, 0));
      check(
          poller.kernel.setsockopt(
              fd, SOL_SOCKET, SocketConstants.SO_LINGER, poller.scratch.value, 8),
          option);
      return;
    }
    int number = value instanceof Boolean flag ? (flag ? 1 : 0) : (Integer) value;
    setInt(poller, fd, level(option), number(option), number);
  }

  static <T> T get(EpollPoller poller, int fd, SocketOption<T> option) throws IOException {
    Scratch scratch = poller.scratch;
    Scratch.putLong(scratch.value, 0);
    Scratch.putInt(scratch.length, 8);
    check(
        poller.kernel.getsockopt(fd, level(option), number(option), scratch.value, scratch.length),
        option);
    int first = Scratch.getInt(scratch.value);
    Object result;
    if (option.equals(StandardSocketOptions.SO_LINGER)) {
      result = first == 0 ? -1 : Scratch.getInt(scratch.value + 4);
    } else if (option.type() == Boolean.class) {
      result = first != 0;
    } else if (option.equals(StandardSocketOptions.SO_SNDBUF)
        || option.equals(StandardSocketOptions.SO_RCVBUF)) {
      result = first / 2; // the kernel answers with twice what was set, for its bookkeeping
    } else {
      result = first;
    }
    return option.type().cast(result);
  }

  static void setInt(EpollPoller poller, int fd, int level, int option, int value)
      throws IOException {
    Scratch.putInt(poller.scratch.value, value);
    int result = poller.kernel.setsockopt(fd, level, option, poller.scratch.value, 4);
    if (result < 0) {
      throw Errno.failure("setsockopt " + level + "/" + option, result);
    }
  }

  static @Nullable IOException pendingError(EpollPoller poller, int fd) {
    int errno = takeError(poller, fd);
    return errno == 0 ? null : Errno.failure("the connection", -errno);
  }

  /// The error that the kernel holds for a socket, which asking takes away; 0 for none.
  static int takeError(EpollPoller poller, int fd) {
    Scratch scratch = poller.scratch;
    Scratch.putInt(scratch.length, 4);
    int result =
        poller.kernel.getsockopt(
            fd, SOL_SOCKET, SocketConstants.SO_ERROR, scratch.value, scratch.length);
    return result < 0 ? -result : Scratch.getInt(scratch.value);
  }

  private static void check(int result, SocketOption<?> option) throws IOException {
    if (result < 0) {
      throw Errno.failure("socket option " + option, result);
    }
  }

  private static int level(SocketOption<?> option) {
    return switch (option.name()) {
      case "TCP_NODELAY" -> IPPROTO_TCP;
      case "IP_TOS" -> IPPROTO_IP;
      default -> SOL_SOCKET;
    };
  }

  private static int number(SocketOption<?> option) {
    return switch (option.name()) {
      case "TCP_NODELAY" -> SocketConstants.TCP_NODELAY;
      case "IP_TOS" -> SocketConstants.IP_TOS;
      case "SO_SNDBUF" -> SocketConstants.SO_SNDBUF;
      case "SO_RCVBUF" -> SocketConstants.SO_RCVBUF;
      case "SO_KEEPALIVE" -> SocketConstants.SO_KEEPALIVE;
      case "SO_REUSEADDR" -> SocketConstants.SO_REUSEADDR;
      case "SO_REUSEPORT" -> SocketConstants.SO_REUSEPORT;
      case "SO_LINGER" -> SocketConstants.SO_LINGER;
      default ->
          throw new UnsupportedOperationException(
              "epoll sockets do not know the option " + option.name());
    };
  }
}
