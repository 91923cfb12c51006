package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET6;
import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_STREAM;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ListenerDriver;
import dev.quickwater.channel.spi.ListenerSocket;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.PackedAddress;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.gate.UnixAddresses;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A listening socket.
final class PosixListener extends SocketDescriptor implements ListenerSocket {

  /// The maximum number of aborted connections in a row before other channels run.
  private static final int MAX_ABORTED = 16;

  private final @Nullable SocketAddress local;

  private PosixListener(
      LoopSockets sockets, int fd, SocketKind kind, @Nullable SocketAddress local) {
    super(sockets, fd, kind);
    this.local = local;
  }

  static ChannelIo open(LoopSockets sockets, InetSocketAddress local, ChannelSettings settings)
      throws IOException {
    boolean six =
        local.getAddress() instanceof Inet6Address || local.getAddress().isAnyLocalAddress();
    int type = SOCK_STREAM;
    int family = six ? AF_INET6 : AF_INET;
    int fd = sockets.kernel.socket(family, type, 0);
    if (fd < 0 && six && !(local.getAddress() instanceof Inet6Address)) {
      family = AF_INET; // a system without IPv6
      fd = sockets.kernel.socket(family, type, 0);
    }
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    try {
      return bind(sockets, fd, family, local, settings);
    } catch (IOException | RuntimeException | Error e) {
      sockets.kernel.close(fd);
      throw e;
    }
  }

  private static ChannelIo bind(
      LoopSockets sockets, int fd, int family, InetSocketAddress local, ChannelSettings settings)
      throws IOException {
    SocketOptions.require(sockets, fd, SocketConstants.SOL_SOCKET, SocketConstants.SO_REUSEADDR, 1);
    if (family == AF_INET6) {
      SocketOptions.require(
          sockets, fd, SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_V6ONLY, 0);
    }
    SocketOptions.apply(sockets, fd, SocketKind.LISTENER, settings.sockets().options());
    long address = sockets.scratch.address;
    int result = sockets.kernel.bind(fd, address, SocketAddresses.encode(local, family, address));
    if (result == 0) {
      result = sockets.kernel.listen(fd, settings.sockets().backlog());
    }
    if (result < 0) {
      throw Errno.bindFailure("cannot listen on " + local, result);
    }
    return start(sockets, fd, SocketKind.LISTENER);
  }

  static ChannelIo openUnix(LoopSockets sockets, SocketAddress local, ChannelSettings settings)
      throws IOException {
    int fd = UnixSocket.create(sockets, SOCK_STREAM);
    try {
      SocketOptions.apply(sockets, fd, SocketKind.UNIX_LISTENER, settings.sockets().options());
      UnixBinding.bind(sockets, fd, local, "cannot listen on ");
      int result = sockets.kernel.listen(fd, settings.sockets().backlog());
      if (result < 0) {
        throw Errno.bindFailure("cannot listen on " + local, result);
      }
      return start(sockets, fd, SocketKind.UNIX_LISTENER);
    } catch (IOException | RuntimeException | Error e) {
      sockets.kernel.close(fd);
      throw e;
    }
  }

  static ChannelIo start(LoopSockets sockets, int fd, SocketKind kind) {
    PosixListener listener =
        new PosixListener(sockets, fd, kind, PosixSocket.localAddress(sockets, fd));
    ListenerDriver driver = new ListenerDriver(listener);
    sockets.register(listener, driver);
    return driver;
  }

  @Override
  public @Nullable AcceptedSocket accept() throws IOException {
    Scratch scratch = sockets.scratch;
    for (int left = MAX_ABORTED; left > 0; left--) {
      NativeOrder.putInt(scratch.length, UnixAddresses.SIZE);
      int accepted = sockets.kernel.accept(fd, scratch.address, scratch.length);
      if (accepted >= 0) {
        return accepted(accepted, scratch);
      }
      if (Errno.wouldBlock(accepted)) {
        return null;
      }
      if (!Errno.concernsOneConnection(accepted)) {
        throw Errno.failure("accept", accepted);
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
      sockets.kernel.close(accepted);
      throw e;
    }
  }

  private static @Nullable SocketAddress unixAddress(Scratch scratch) {
    return SocketAddresses.decode(scratch.address, NativeOrder.getInt(scratch.length));
  }

  private record AcceptedUnix(int fd, @Nullable SocketAddress remoteAddress)
      implements AcceptedSocket {

    @Override
    public ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException {
      return UnixSocket.adopt(((Poller) poller).sockets(), fd, remoteAddress, settings);
    }

    @Override
    public void close() {
      OffLoopCalls.close(fd);
    }
  }

  private record Accepted(int fd, @Nullable PackedAddress remote) implements AcceptedSocket {

    @Override
    public ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException {
      return PosixSocket.adopt(((Poller) poller).sockets(), fd, remote, settings);
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
