package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.Driver;
import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Opens the sockets of one loop, and has what they share: the kernel, the memory for its calls,
/// and the table of socket options.
///
/// A class, not an interface: sockets read its fields in every call, and only [Poller] differs
/// between systems. Loop thread only, except for files.
public final class LoopSockets {

  final Poller poller;
  final Kernel kernel;
  final OptionTable options;
  final Scratch scratch;

  /// Descriptors whose sockets may stay open through other descriptors.
  private final BitSet duplicated = new BitSet();

  /// Null until the first datagram socket.
  private @Nullable DatagramBuffers datagrams;

  /// Null until the first Unix datagram socket or passed descriptor.
  private @Nullable MessageBatch unixMessages;

  /// The sockets that `poller` watches.
  public LoopSockets(Poller poller, Kernel kernel, OptionTable options) {
    this.poller = poller;
    this.kernel = kernel;
    this.options = options;
    this.scratch = new Scratch();
  }

  // ---- registrations ----

  /// Registers a socket: `driver` receives its events.
  void register(SocketDescriptor socket, Driver driver) {
    socket.driver = driver;
    poller.register(socket);
  }

  void deregister(SocketDescriptor socket) {
    poller.deregister(socket);
    duplicated.clear(socket.fd);
  }

  /// Records that other descriptors of this socket may exist.
  void recordDuplicate(int fd) {
    duplicated.set(fd);
  }

  boolean mayHaveDuplicates(int fd) {
    return duplicated.get(fd);
  }

  // ---- opening ----

  ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException {
    if (local instanceof DescriptorAddress open) {
      return open.listen(this, settings);
    }
    if (isUnix(local)) {
      options.validateAny(
          settings.sockets().options(), SocketKind.UNIX_LISTENER, SocketKind.UNIX_STREAM);
      return PosixListener.openUnix(this, local, settings);
    }
    SocketOptions.validateListening(this, settings.sockets().options());
    return PosixListener.open(this, inet(local), settings);
  }

  ConnectingIo openStream(SocketAddress remote, ChannelSettings settings) throws IOException {
    if (remote instanceof DescriptorAddress open) {
      return open.connect(this, settings);
    }
    if (isUnix(remote)) {
      options.validate(SocketKind.UNIX_STREAM, settings.sockets().options());
      return UnixSocket.open(this, settings);
    }
    options.validate(SocketKind.STREAM, settings.sockets().options());
    return PosixSocket.open(this, inet(remote), settings);
  }

  ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    if (isUnix(local) || isUnix(remote)) {
      options.validate(SocketKind.UNIX_DATAGRAM, settings.sockets().options());
      return UnixDatagram.open(this, local, remote, settings);
    }
    options.validate(SocketKind.DATAGRAM, settings.sockets().options());
    return PosixDatagram.open(
        this, local == null ? null : inet(local), remote == null ? null : inet(remote), settings);
  }

  /// Any thread.
  FileSource openFile(Path path) throws IOException {
    return DescriptorFile.open(kernel, path);
  }

  /// Any thread.
  FileSource openFile(Path root, String relative) throws IOException {
    return DescriptorFile.openBelow(kernel, root, relative);
  }

  // ---- shared memory ----

  /// Allocates the memory of datagram sockets, once.
  void useDatagrams() {
    if (datagrams == null) {
      datagrams = new DatagramBuffers(ByteBufAllocator.shared());
    }
  }

  DatagramBuffers datagrams() {
    if (datagrams == null) {
      throw new IllegalStateException("the loop has no datagram socket");
    }
    return datagrams;
  }

  /// The batch with which all Unix sockets of the loop receive and send descriptors.
  MessageBatch unixMessages() {
    @Nullable MessageBatch batch = unixMessages;
    if (batch == null) {
      int room = ReceivedDescriptors.room(DescriptorMessage.MAX_DESCRIPTORS);
      batch = new MessageBatch(DatagramBuffers.MESSAGES, 1, room);
      unixMessages = batch;
    }
    return batch;
  }

  /// Releases the shared memory. All sockets are closed.
  public void close() {
    scratch.close();
    if (datagrams != null) {
      datagrams.close();
    }
    if (unixMessages != null) {
      unixMessages.close();
    }
  }

  // ---- addresses ----

  /// The destination of a datagram.
  ///
  /// @throws IllegalArgumentException if the address is of another kind or unresolved
  static InetSocketAddress resolved(SocketAddress address) {
    if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
      return inet;
    }
    throw new IllegalArgumentException(
        "a datagram needs a resolved InetSocketAddress, not " + address);
  }

  private static boolean isUnix(@Nullable SocketAddress address) {
    return address instanceof UnixDomainSocketAddress || address instanceof AbstractUnixAddress;
  }

  static InetSocketAddress inet(SocketAddress address) throws IOException {
    if (!(address instanceof InetSocketAddress inet)) {
      throw new UnsupportedOperationException(
          "sockets of this transport take an InetSocketAddress, a UnixDomainSocketAddress or an"
              + " AbstractUnixAddress, not "
              + address);
    }
    if (inet.isUnresolved()) {
      throw new UnknownHostException(inet + " is not resolved");
    }
    return inet;
  }
}
