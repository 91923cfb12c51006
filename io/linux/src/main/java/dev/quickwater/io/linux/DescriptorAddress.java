package dev.quickwater.io.linux;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.PackedAddress;
import dev.quickwater.io.posix.SocketAddresses;
import dev.quickwater.io.posix.SocketConstants;
import dev.quickwater.io.posix.UnixAddresses;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The address with which a bootstrap uses an open socket.
final class DescriptorAddress extends SocketAddress {

  private static final long serialVersionUID = 1;

  private final transient OwnedDescriptor descriptor;

  DescriptorAddress(OwnedDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    throw new NotSerializableException(DescriptorAddress.class.getName());
  }

  /// Opens the socket as a listening channel's transport.
  ChannelIo listen(EpollPoller poller, ChannelSettings settings) throws IOException {
    int fd = descriptor.number();
    boolean unix = isUnix(poller, fd);
    if (number(poller, fd, SocketConstants.SO_ACCEPTCONN) == 0) {
      throw new IOException(descriptor + " is no listening socket");
    }
    SocketKind kind = unix ? SocketKind.UNIX_LISTENER : SocketKind.LISTENER;
    SocketKind accepted = unix ? SocketKind.UNIX_STREAM : SocketKind.ACCEPTED;
    SocketOptions.validateAny(settings.sockets().options(), kind, accepted);
    SocketOptions.apply(poller, fd, kind, settings.sockets().options());
    prepare(poller, fd);
    return EpollListener.start(poller, descriptor.take(), kind);
  }

  /// Opens the socket as a connection's transport.
  ConnectingIo connect(EpollPoller poller, ChannelSettings settings) throws IOException {
    int fd = descriptor.number();
    boolean unix = isUnix(poller, fd);
    Scratch scratch = poller.scratch;
    Scratch.putInt(scratch.length, UnixAddresses.SIZE);
    int result = poller.kernel.getpeername(fd, scratch.address, scratch.length);
    if (result < 0) {
      throw Errno.failure(descriptor + " is no connection", result);
    }
    @Nullable PackedAddress packed = unix ? null : PackedAddress.read(scratch.address);
    @Nullable SocketAddress remote =
        unix ? SocketAddresses.decode(scratch.address, Scratch.getInt(scratch.length)) : null;
    SocketOptions.validate(
        unix ? SocketKind.UNIX_STREAM : SocketKind.STREAM, settings.sockets().options());
    prepare(poller, fd);
    return unix
        ? UnixSocket.adopt(poller, descriptor.take(), remote, settings)
        : EpollSocket.adopt(poller, descriptor.take(), packed, settings);
  }

  private boolean isUnix(EpollPoller poller, int fd) throws IOException {
    int domain = number(poller, fd, SocketConstants.SO_DOMAIN);
    boolean known =
        domain == SocketConstants.AF_UNIX
            || domain == SocketConstants.AF_INET
            || domain == SocketConstants.AF_INET6;
    if (!known || number(poller, fd, SocketConstants.SO_TYPE) != SocketConstants.SOCK_STREAM) {
      throw new IOException(descriptor + " is no stream socket of TCP or Unix");
    }
    return domain == SocketConstants.AF_UNIX;
  }

  /// Reads a value that only sockets have.
  private int number(EpollPoller poller, int fd, int option) throws IOException {
    Scratch scratch = poller.scratch;
    Scratch.putInt(scratch.length, Integer.BYTES);
    int result =
        poller.kernel.getsockopt(
            fd, SocketConstants.SOL_SOCKET, option, scratch.value, scratch.length);
    if (result < 0) {
      throw Errno.failure(descriptor + " cannot become a channel", result);
    }
    return Scratch.getInt(scratch.value);
  }

  /// Makes the socket non-blocking and close-on-exec, like all sockets of this transport.
  private static void prepare(EpollPoller poller, int fd) throws IOException {
    poller.mayHaveDuplicates(fd);
    int flags = poller.kernel.fcntl(fd, SocketConstants.F_GETFL, 0);
    int result =
        flags < 0
            ? flags
            : poller.kernel.fcntl(fd, SocketConstants.F_SETFL, flags | SocketConstants.O_NONBLOCK);
    if (result >= 0) {
      result = poller.kernel.fcntl(fd, SocketConstants.F_SETFD, SocketConstants.FD_CLOEXEC);
    }
    if (result < 0) {
      throw Errno.failure("fcntl", result);
    }
  }

  @Override
  public String toString() {
    return descriptor.toString();
  }
}
