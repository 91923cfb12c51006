package dev.quickwater.io.posix.socket;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.io.posix.OwnedDescriptor;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.PackedAddress;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.gate.UnixAddresses;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The address with which a bootstrap uses an open socket.
public final class DescriptorAddress extends SocketAddress {

  private static final long serialVersionUID = 1;

  private final transient OwnedDescriptor descriptor;

  /// The address of an open socket.
  public DescriptorAddress(OwnedDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    throw new NotSerializableException(DescriptorAddress.class.getName());
  }

  /// Opens the socket as a listening channel's transport.
  ChannelIo listen(LoopSockets sockets, ChannelSettings settings) throws IOException {
    int fd = descriptor.number();
    boolean unix = isUnix(sockets, fd);
    if (number(sockets, fd, SocketConstants.SO_ACCEPTCONN) == 0) {
      throw new IOException(descriptor + " is no listening socket");
    }
    SocketKind kind = unix ? SocketKind.UNIX_LISTENER : SocketKind.LISTENER;
    SocketKind accepted = unix ? SocketKind.UNIX_STREAM : SocketKind.ACCEPTED;
    sockets.options.validateAny(settings.sockets().options(), kind, accepted);
    SocketOptions.apply(sockets, fd, kind, settings.sockets().options());
    prepare(sockets, fd);
    return PosixListener.start(sockets, descriptor.take(), kind);
  }

  /// Opens the socket as a connection's transport.
  ConnectingIo connect(LoopSockets sockets, ChannelSettings settings) throws IOException {
    int fd = descriptor.number();
    boolean unix = isUnix(sockets, fd);
    Scratch scratch = sockets.scratch;
    NativeOrder.putInt(scratch.length, UnixAddresses.SIZE);
    int result = sockets.kernel.getpeername(fd, scratch.address, scratch.length);
    if (result < 0) {
      throw Errno.failure(descriptor + " is no connection", result);
    }
    @Nullable PackedAddress packed = unix ? null : PackedAddress.read(scratch.address);
    @Nullable SocketAddress remote =
        unix ? SocketAddresses.decode(scratch.address, NativeOrder.getInt(scratch.length)) : null;
    sockets.options.validate(
        unix ? SocketKind.UNIX_STREAM : SocketKind.STREAM, settings.sockets().options());
    prepare(sockets, fd);
    return unix
        ? UnixSocket.adopt(sockets, descriptor.take(), remote, settings)
        : PosixSocket.adopt(sockets, descriptor.take(), packed, settings);
  }

  private boolean isUnix(LoopSockets sockets, int fd) throws IOException {
    Scratch scratch = sockets.scratch;
    NativeOrder.putInt(scratch.length, UnixAddresses.SIZE);
    int result = sockets.kernel.getsockname(fd, scratch.address, scratch.length);
    if (result < 0) {
      throw refusal(result);
    }
    int domain = SocketAddresses.family(scratch.address);
    boolean known =
        domain == SocketConstants.AF_UNIX
            || domain == SocketConstants.AF_INET
            || domain == SocketConstants.AF_INET6;
    if (!known || number(sockets, fd, SocketConstants.SO_TYPE) != SocketConstants.SOCK_STREAM) {
      throw new IOException(descriptor + " is no stream socket of TCP or Unix");
    }
    return domain == SocketConstants.AF_UNIX;
  }

  /// Reads a value that only sockets have.
  private int number(LoopSockets sockets, int fd, int option) throws IOException {
    Scratch scratch = sockets.scratch;
    NativeOrder.putInt(scratch.length, Integer.BYTES);
    int result =
        sockets.kernel.getsockopt(
            fd, SocketConstants.SOL_SOCKET, option, scratch.value, scratch.length);
    if (result < 0) {
      throw refusal(result);
    }
    return NativeOrder.getInt(scratch.value);
  }

  private IOException refusal(int result) {
    return Errno.failure(descriptor + " cannot become a channel", result);
  }

  /// Makes the socket non-blocking and close-on-exec, like all sockets of this transport.
  private static void prepare(LoopSockets sockets, int fd) throws IOException {
    sockets.recordDuplicate(fd);
    int result = sockets.kernel.prepare(fd);
    if (result < 0) {
      throw Errno.failure("fcntl", result);
    }
  }

  @Override
  public String toString() {
    return descriptor.toString();
  }
}
