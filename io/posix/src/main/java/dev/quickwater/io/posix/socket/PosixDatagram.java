package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET6;
import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_DGRAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.DatagramDriver;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.DatagramSocket;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A UDP socket.
final class PosixDatagram extends SocketDescriptor implements DatagramSocket, DatagramBatches.Form {

  private final AddressCache addresses;
  private final @Nullable SocketAddress local;
  private final @Nullable SocketAddress remote;
  private final DatagramBatches batches;

  private PosixDatagram(
      LoopSockets sockets,
      int fd,
      int family,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote) {
    super(sockets, fd, SocketKind.DATAGRAM);
    this.addresses = new AddressCache(family);
    this.local = local;
    this.remote = remote;
    this.batches = new DatagramBatches(sockets, fd, remote, this);
  }

  static ChannelIo open(
      LoopSockets sockets,
      @Nullable InetSocketAddress local,
      @Nullable InetSocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    sockets.useDatagrams(); // may find no memory, so it comes before there is a descriptor
    int type = SOCK_DGRAM;
    int family = wantsIpv6(local, remote) ? AF_INET6 : AF_INET;
    int fd = sockets.kernel.socket(family, type, 0);
    if (fd < 0 && family == AF_INET6 && isWildcard(local)) {
      family = AF_INET; // a system without IPv6
      fd = sockets.kernel.socket(family, type, 0);
    }
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    try {
      return prepare(sockets, fd, family, local, remote, settings);
    } catch (IOException | RuntimeException | Error e) {
      sockets.kernel.close(fd);
      throw e;
    }
  }

  /// On an IPv6 socket the IPv4 wildcard stands for both families, unless the peer's family
  /// decides.
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
      LoopSockets sockets,
      int fd,
      int family,
      @Nullable InetSocketAddress local,
      @Nullable InetSocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    if (family == AF_INET6) {
      SocketOptions.require(
          sockets, fd, SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_V6ONLY, 0);
    }
    SocketOptions.apply(sockets, fd, SocketKind.DATAGRAM, settings.sockets().options());
    long address = sockets.scratch.address;
    if (local != null) {
      int result = sockets.kernel.bind(fd, address, SocketAddresses.encode(local, family, address));
      if (result < 0) {
        throw Errno.bindFailure("cannot bind to " + local, result);
      }
    }
    if (remote != null) {
      int result =
          sockets.kernel.connect(fd, address, SocketAddresses.encode(remote, family, address));
      if (result < 0) {
        throw Errno.connectFailure("cannot connect to " + remote, result);
      }
    }
    PosixDatagram socket =
        new PosixDatagram(sockets, fd, family, PosixSocket.localAddress(sockets, fd), remote);
    DatagramDriver driver = new DatagramDriver(socket);
    sockets.register(socket, driver);
    return driver;
  }

  // ---- receiving ----

  @Override
  public boolean receive(ChannelEvents events, int max) throws IOException {
    return batches.receive(events, max);
  }

  @Override
  public boolean hasReceived() {
    return batches.hasReceived();
  }

  @Override
  public MessageBatch batch() {
    return sockets.datagrams().batch;
  }

  @Override
  public int controlRoom() {
    return DatagramBuffers.CONTROL_BYTES;
  }

  @Override
  public Datagram take(ChannelEvents events, int index) {
    MessageBatch batch = batch();
    @Nullable SocketAddress source = batch.source(index, addresses);
    @Nullable InetAddress at = batch.receivedAt(index);
    // The kernel does not report the port; it is the port of the socket.
    @Nullable SocketAddress receivedAt = at == null ? null : new InetSocketAddress(at, 0);
    ByteBuf content = batches.content(events, index);
    try {
      return new Datagram(
          content, source, receivedAt, batch.segmentSize(index), batch.isTruncated(index));
    } catch (RuntimeException | Error e) {
      content.release();
      throw e;
    }
  }

  // ---- sending ----

  @Override
  public boolean send(DatagramOutput output) throws IOException {
    return batches.send(output);
  }

  /// A kernel without the option, Linux before 4.18, would send the whole message as one datagram.
  /// A socket whose option has a value already splits each datagram.
  @Override
  public boolean splitsMessages() {
    return SocketConstants.UDP_SEGMENT != SocketConstants.NONE
        && SocketOptions.segmentSize(sockets, fd) == 0;
  }

  @Override
  public void prepare(DatagramOutput output, int index, Datagram datagram) {
    batches.begin(index, datagram);
    MessageBatch batch = batch();
    if (datagram.remote() != null) {
      batch.destination(index, LoopSockets.resolved(datagram.remote()), addresses);
    }
    int segment = datagram.segmentSize();
    if (segment > 0 && datagram.content().readableBytes() > segment) {
      batch.segmentSize(index, segment);
    }
    if (datagram.local() instanceof InetSocketAddress from) {
      batch.sendFrom(index, from.getAddress(), 0);
    }
  }

  @Override
  public @Nullable IOException noRoom(Datagram datagram) {
    return null;
  }

  // ---- the rest ----

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    super.setOption(option, value);
    batches.optionSet();
  }

  @Override
  public void join(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    Multicast.join(sockets.kernel, fd, group, on, source);
  }

  @Override
  public void leave(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    Multicast.leave(sockets.kernel, fd, group, on, source);
  }

  @Override
  public void close() {
    batches.close();
    super.close();
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return local;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remote;
  }
}
