package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.SocketConstants.AF_INET6;
import static dev.quickwater.io.posix.SocketConstants.SOCK_CLOEXEC;
import static dev.quickwater.io.posix.SocketConstants.SOCK_NONBLOCK;
import static dev.quickwater.io.posix.SocketConstants.SOCK_STREAM;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ListenerDriver;
import dev.quickwater.channel.spi.ListenerSocket;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.PackedAddress;
import dev.quickwater.io.posix.SocketAddresses;
import dev.quickwater.io.posix.SocketConstants;
import dev.quickwater.io.posix.UnixAddresses;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A listening socket on epoll.
final class EpollListener extends EpollDescriptor implements ListenerSocket {

  /// The maximum number of aborted connections in a row before other channels run.
  private static final int MAX_ABORTED = 16;

  private final @Nullable SocketAddress local;

  private EpollListener(
      EpollPoller poller, int fd, SocketKind kind, @Nullable SocketAddress local) {
    super(poller, fd, kind);
    this.local = local;
  }

  static ChannelIo open(EpollPoller poller, InetSocketAddress local, ChannelSettings settings)
      throws IOException {
    boolean six =
        local.getAddress() instanceof Inet6Address || local.getAddress().isAnyLocalAddress();
    int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int family = six ? AF_INET6 : AF_INET;
    int fd = poller.kernel.socket(family, type, 0);
    if (fd < 0 && six && !(local.getAddress() instanceof Inet6Address)) {
      family = AF_INET; // a system without IPv6
      fd = poller.kernel.socket(family, type, 0);
    }
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    try {
      return bind(poller, fd, family, local, settings);
    } catch (IOException | RuntimeException | Error e) {
      poller.kernel.close(fd);
      throw e;
    }
  }

  private static ChannelIo bind(
      EpollPoller poller, int fd, int family, InetSocketAddress local, ChannelSettings settings)
      throws IOException {
    SocketOptions.require(poller, fd, SocketConstants.SOL_SOCKET, SocketConstants.SO_REUSEADDR, 1);
    if (family == AF_INET6) {
      SocketOptions.require(
          poller, fd, SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_V6ONLY, 0);
    }
    SocketOptions.apply(poller, fd, SocketKind.LISTENER, settings.sockets().options());
    long address = poller.scratch.address;
    int result = poller.kernel.bind(fd, address, SocketAddresses.encode(local, family, address));
    if (result == 0) {
      result = poller.kernel.listen(fd, settings.sockets().backlog());
    }
    if (result < 0) {
      throw Errno.bindFailure("cannot listen on " + local, result);
    }
    return start(poller, fd, SocketKind.LISTENER);
  }

  static ChannelIo openUnix(EpollPoller poller, SocketAddress local, ChannelSettings settings)
      throws IOException {
    int fd = UnixSocket.create(poller, SOCK_STREAM);
    try {
      SocketOptions.apply(poller, fd, SocketKind.UNIX_LISTENER, settings.sockets().options());
      UnixBinding.bind(poller, fd, local, "cannot listen on ");
      int result = poller.kernel.listen(fd, settings.sockets().backlog());
      if (result < 0) {
        throw Errno.bindFailure("cannot listen on " + local, result);
      }
      return start(poller, fd, SocketKind.UNIX_LISTENER);
    } catch (IOException | RuntimeException | Error e) {
      poller.kernel.close(fd);
      throw e;
    }
  }

  static ChannelIo start(EpollPoller poller, int fd, SocketKind kind) {
    EpollListener listener =
        new EpollListener(poller, fd, kind, EpollSocket.localAddress(poller, fd));
    ListenerDriver driver = new ListenerDriver(listener);
    poller.register(listener, driver);
    return driver;
  }

  @Override
  public @Nullable AcceptedSocket accept() throws IOException {
    Scratch scratch = poller.scratch;
    for (int left = MAX_ABORTED; left > 0; left--) {
      Scratch.putInt(scratch.length, UnixAddresses.SIZE);
      int accepted =
          poller.kernel.accept4(fd, scratch.address, scratch.length, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (accepted >= 0) {
        return accepted(accepted, scratch);
      }
      if (Errno.wouldBlock(accepted)) {
        return null;
      }
      if (!Errno.concernsOneConnection(accepted)) {
        throw Errno.failure("accept4", accepted);
      }
    }
    return null;
  }

  private AcceptedSocket accepted(int accepted, Scratch scratch) {
    try {
      return kind == SocketKind.UNIX_LISTENER
          ? new AcceptedUnix(accepted, unixAddress(scratch))
          : new Accepted(accepted, PackedAddress.read(scratch.address));
    } catch (RuntimeException | Error e) {
      poller.kernel.close(accepted);
      throw e;
    }
  }

  private static @Nullable SocketAddress unixAddress(Scratch scratch) {
    return SocketAddresses.decode(scratch.address, Scratch.getInt(scratch.length));
  }

  private record AcceptedUnix(int fd, @Nullable SocketAddress remoteAddress)
      implements AcceptedSocket {

    @Override
    public ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException {
      return UnixSocket.adopt((EpollPoller) poller, fd, remoteAddress, settings);
    }

    @Override
    public void close() {
      OffLoopCalls.close(fd);
    }
  }

  private record Accepted(int fd, @Nullable PackedAddress remote) implements AcceptedSocket {

    @Override
    public ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException {
      return EpollSocket.adopt((EpollPoller) poller, fd, remote, settings);
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
      return remote == null ? null : remote.unpack();
    }

    @Override
    public void close() {
      OffLoopCalls.close(fd);
    }
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return local;
  }
}
