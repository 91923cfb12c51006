package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_UNIX;
import static dev.quickwater.io.posix.SocketConstants.SOCK_CLOEXEC;
import static dev.quickwater.io.posix.SocketConstants.SOCK_NONBLOCK;
import static dev.quickwater.io.posix.SocketConstants.SOCK_STREAM;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.UnixAddresses;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A Unix stream socket on epoll.
final class UnixSocket extends EpollSocket {

  private volatile @Nullable SocketAddress remote;
  private boolean backlogFull;

  private UnixSocket(EpollPoller poller, int fd, @Nullable SocketAddress remote) {
    super(poller, fd, AF_UNIX, null);
    this.remote = remote;
  }

  /// A descriptor of a socket that is neither bound nor connected.
  static int create(EpollPoller poller, int type) throws IOException {
    int fd = poller.kernel.socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    return fd;
  }

  static ConnectingIo open(EpollPoller poller, ChannelSettings settings) throws IOException {
    return new UnixSocket(poller, create(poller, SOCK_STREAM), null)
        .start(SocketKind.UNIX_STREAM, settings);
  }

  static ConnectingIo adopt(
      EpollPoller poller, int fd, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    UnixSocket socket = new UnixSocket(poller, fd, remote);
    socket.connected();
    return socket.start(SocketKind.UNIX_STREAM, settings);
  }

  @Override
  SocketKind kind() {
    return SocketKind.UNIX_STREAM;
  }

  /// Connects at once or not at all: a full backlog is no attempt in progress.
  @Override
  public boolean connect(SocketAddress to, @Nullable SocketAddress from) throws IOException {
    if (from != null) {
      UnixBinding.bind(poller, fd, from, "cannot bind to ");
    }
    remote = to;
    long address = poller.scratch.address;
    int result = poller.kernel.connect(fd, address, UnixAddresses.encode(to, address));
    backlogFull = Errno.wouldBlock(result);
    if (backlogFull) {
      return false;
    }
    if (result < 0) {
      throw Errno.connectFailure("cannot connect to " + to, result);
    }
    connected();
    return true;
  }

  @Override
  public boolean isBacklogFull() {
    return backlogFull;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remote;
  }
}
