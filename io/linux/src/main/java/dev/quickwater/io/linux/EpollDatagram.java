package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.SocketConstants.AF_INET6;
import static dev.quickwater.io.posix.SocketConstants.SOCK_CLOEXEC;
import static dev.quickwater.io.posix.SocketConstants.SOCK_DGRAM;
import static dev.quickwater.io.posix.SocketConstants.SOCK_NONBLOCK;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.DatagramDriver;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.DatagramSocket;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.SocketAddresses;
import dev.quickwater.io.posix.SocketConstants;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A UDP socket on epoll, which receives and sends up to [DatagramBuffers#MESSAGES] datagrams with
/// one system call.
final class EpollDatagram implements DatagramSocket {

  private final EpollPoller poller;
  private final int fd;
  private final AddressCache addresses;
  private final @Nullable SocketAddress local;
  private final @Nullable SocketAddress remote;
  private EpollPoller.@Nullable Registration registration;

  /// How many datagrams are likely to wait; the last receive decides.
  private int expected = 1;

  private boolean closed;

  private EpollDatagram(
      EpollPoller poller,
      int fd,
      int family,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote) {
    this.poller = poller;
    this.fd = fd;
    this.addresses = new AddressCache(family);
    this.local = local;
    this.remote = remote;
  }

  static ChannelIo open(
      EpollPoller poller,
      @Nullable InetSocketAddress local,
      @Nullable InetSocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    int type = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int family = wantsIpv6(local, remote) ? AF_INET6 : AF_INET;
    int fd = poller.kernel.socket(family, type, 0);
    if (fd < 0 && family == AF_INET6 && isWildcard(local)) {
      family = AF_INET; // a system without IPv6
      fd = poller.kernel.socket(family, type, 0);
    }
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    try {
      return prepare(poller, fd, family, local, remote, settings);
    } catch (IOException | RuntimeException e) {
      poller.kernel.close(fd);
      throw e;
    }
  }

  /// The wildcard of IPv4 is that of both, on a socket of IPv6, unless the peer's family decides.
  private static boolean wantsIpv6(
      @Nullable InetSocketAddress local, @Nullable InetSocketAddress remote) {
    return remote == null
        ? isWildcard(local) || isIpv6(local)
        : isIpv6(remote) || (isIpv6(local) && !isWildcard(local));
  }

  private static boolean isIpv6(@Nullable InetSocketAddress address) {
    return address != null && address.getAddress() instanceof Inet6Address;
  }

  private static boolean isWildcard(@Nullable InetSocketAddress address) {
    return address != null && address.getAddress().isAnyLocalAddress();
  }

  private static ChannelIo prepare(
      EpollPoller poller,
      int fd,
      int family,
      @Nullable InetSocketAddress local,
      @Nullable InetSocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    if (family == AF_INET6) {
      SocketOptions.require(
          poller, fd, SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_V6ONLY, 0);
    }
    SocketOptions.apply(poller, fd, SocketKind.DATAGRAM, settings.sockets().options());
    long address = poller.scratch.address;
    if (local != null) {
      int result = poller.kernel.bind(fd, address, SocketAddresses.encode(local, family, address));
      if (result < 0) {
        throw Errno.bindFailure("cannot bind to " + local, result);
      }
    }
    if (remote != null) {
      int result =
          poller.kernel.connect(fd, address, SocketAddresses.encode(remote, family, address));
      if (result < 0) {
        throw Errno.connectFailure("cannot connect to " + remote, result);
      }
    }
    EpollDatagram socket =
        new EpollDatagram(poller, fd, family, EpollSocket.localAddress(poller, fd), remote);
    DatagramDriver driver = new DatagramDriver(socket);
    poller.useDatagrams();
    socket.registration = poller.register(fd, driver);
    return driver;
  }

  @Override
  public void interest(int events) throws IOException {
    if (registration != null) {
      poller.interest(registration, events);
    }
  }

  // ---- receiving ----

  /// Asks for one datagram at first and for twice as many after each full batch, because each
  /// message that is prepared costs, and most sockets have one datagram at a time.
  @Override
  public boolean receive(ChannelEvents events, int max) throws IOException {
    int left = max;
    while (left > 0) {
      int count = Math.min(Math.min(expected, left), DatagramBuffers.MESSAGES);
      int received = receiveBatch(events, count);
      expected = received == count ? Math.min(2 * count, DatagramBuffers.MESSAGES) : received + 1;
      left -= Math.max(received, 1);
      if (received < count || closed) {
        return false;
      }
    }
    return true;
  }

  private int receiveBatch(ChannelEvents events, int count) throws IOException {
    DatagramBuffers buffers = poller.datagrams();
    MessageBatch batch = buffers.batch;
    for (int i = 0; i < count; i++) {
      batch.room(i, buffers.room(i), DatagramBuffers.ROOM);
    }
    int received = batch.receive(poller.kernel, fd, count);
    if (received < 0) {
      if (Errno.wouldBlock(received)) {
        return 0;
      }
      throw Errno.failure("recvmmsg", received);
    }
    // All are read before the first is passed on: a handler may use the buffers for another socket.
    Datagram[] datagrams = new Datagram[received];
    int taken = 0;
    for (int i = 0; i < received; i++) {
      try {
        datagrams[taken] = take(events, buffers, i);
        taken++;
      } catch (OutOfMemoryError e) {
        events.messageFailed(e); // this datagram is lost
      }
    }
    for (int i = 0; i < taken; i++) {
      if (closed) {
        datagrams[i].close();
      } else {
        events.received(datagrams[i]);
      }
    }
    return received;
  }

  private Datagram take(ChannelEvents events, DatagramBuffers buffers, int index) {
    MessageBatch batch = buffers.batch;
    int length = Math.min(batch.length(index), DatagramBuffers.ROOM);
    ByteBuf content = events.allocator().allocate(length);
    long from = buffers.room(index);
    if (UnsafeViews.isNative(content)) {
      Memory.copy(from, UnsafeViews.address(content, 0), length);
    } else {
      Memory.copy(from, UnsafeViews.array(content), UnsafeViews.arrayOffset(content), length);
    }
    content.writerIndex(length);
    return new Datagram(
        content,
        batch.source(index, addresses),
        local(batch, index),
        batch.segmentSize(index),
        batch.isTruncated(index));
  }

  /// The port is that of the socket, which the caller knows.
  private static @Nullable SocketAddress local(MessageBatch batch, int index) {
    @Nullable InetAddress address = batch.receivedAt(index);
    return address == null ? null : new InetSocketAddress(address, 0);
  }

  // ---- sending ----

  @Override
  public boolean send(DatagramOutput output) throws IOException {
    DatagramBuffers buffers = poller.datagrams();
    int offered = 0;
    int most = Math.min(output.flushedCount(), DatagramBuffers.MESSAGES);
    @Nullable RuntimeException refused = null;
    while (offered < most && refused == null) {
      try {
        prepare(buffers, offered, output.flushedAt(offered));
        offered++;
      } catch (RuntimeException e) {
        refused = e; // of this datagram, which is the first once those before it are sent
      }
    }
    if (offered == 0 && refused != null) {
      output.fail(refused);
      return true;
    }
    int sent = buffers.batch.send(poller.kernel, fd, 0, offered);
    if (sent >= 0) {
      output.sent(sent);
      return true;
    }
    if (Errno.wouldBlock(sent)) {
      return false;
    }
    if (!Errno.concernsOneMessage(sent)) {
      throw Errno.failure("sendmmsg", sent);
    }
    output.fail(Errno.failure("cannot send a datagram to " + target(output.flushedAt(0)), sent));
    return true;
  }

  private @Nullable SocketAddress target(Datagram datagram) {
    return datagram.remote() == null ? remote : datagram.remote();
  }

  private void prepare(DatagramBuffers buffers, int index, Datagram datagram) {
    MessageBatch batch = buffers.batch;
    ByteBuf content = datagram.content();
    int length = content.readableBytes();
    batch.begin(index);
    if (UnsafeViews.isNative(content)) {
      batch.region(index, UnsafeViews.address(content, content.readerIndex()), length);
    } else {
      if (length > DatagramBuffers.ROOM) {
        throw new IllegalArgumentException(
            "the datagram has " + length + " bytes, UDP allows at most 65,507");
      }
      Memory.copy(
          UnsafeViews.array(content),
          UnsafeViews.arrayOffset(content) + content.readerIndex(),
          buffers.room(index),
          length);
      batch.region(index, buffers.room(index), length);
    }
    if (datagram.remote() != null) {
      batch.destination(index, EpollPoller.resolved(datagram.remote()), addresses);
    } else if (remote == null) {
      throw new IllegalArgumentException(
          "the datagram has no remote address and its channel is not connected");
    }
    if (datagram.segmentSize() > 0 && length > datagram.segmentSize()) {
      batch.segmentSize(index, datagram.segmentSize());
    }
    if (datagram.local() instanceof InetSocketAddress from) {
      batch.sendFrom(index, from.getAddress(), 0);
    }
  }

  // ---- the rest ----

  @Override
  public void join(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    Multicast.join(poller.kernel, fd, group, on, source);
  }

  @Override
  public void leave(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    Multicast.leave(poller.kernel, fd, group, on, source);
  }

  @Override
  public @Nullable IOException pendingError() {
    return SocketOptions.pendingError(poller, fd);
  }

  @Override
  public void close() {
    closed = true;
    if (registration != null) {
      poller.unregister(registration);
    }
    poller.kernel.close(fd);
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return local;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    SocketOptions.set(poller, fd, SocketKind.DATAGRAM, option, value);
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return SocketOptions.get(poller, fd, SocketKind.DATAGRAM, option);
  }
}
