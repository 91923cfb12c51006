package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.AF_UNIX;
import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_DGRAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.AttachedMessage;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.DatagramDriver;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.DatagramSocket;
import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.PosixSocketOptions;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.UnixAddresses;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A Unix datagram socket. Its datagrams are not lost: a connected socket waits while the peer's
/// queue is full. On an unconnected socket the datagram fails instead: the kernel reports the
/// socket as writable, and waiting for one receiver would delay the others.
final class UnixDatagram extends SocketDescriptor implements DatagramSocket, DatagramBatches.Form {

  private final @Nullable SocketAddress local;
  private final @Nullable SocketAddress remote;
  private int maxDescriptors;
  private final DatagramBatches batches;

  private UnixDatagram(
      LoopSockets sockets, int fd, @Nullable SocketAddress remote, ChannelSettings settings) {
    super(sockets, fd, SocketKind.UNIX_DATAGRAM);
    this.local = PosixSocket.localAddress(sockets, fd);
    this.remote = remote;
    this.batches = new DatagramBatches(sockets, fd, remote, this);
    this.maxDescriptors = SocketOptions.maxDescriptors(settings.sockets().options());
  }

  static ChannelIo open(
      LoopSockets sockets,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    int fd = UnixSocket.create(sockets, SOCK_DGRAM);
    try {
      SocketOptions.apply(sockets, fd, SocketKind.UNIX_DATAGRAM, settings.sockets().options());
      if (local != null) {
        UnixBinding.bind(sockets, fd, local, "cannot bind to ");
      }
      if (remote != null) {
        connect(sockets, fd, remote);
      }
      sockets.useDatagrams();
      UnixDatagram socket = new UnixDatagram(sockets, fd, remote, settings);
      DatagramDriver driver = new DatagramDriver(socket);
      sockets.register(socket, driver);
      return driver;
    } catch (IOException | RuntimeException | Error e) {
      sockets.kernel.close(fd);
      throw e;
    }
  }

  private static void connect(LoopSockets sockets, int fd, SocketAddress to) throws IOException {
    long address = sockets.scratch.address;
    int result = sockets.kernel.connect(fd, address, UnixAddresses.encode(to, address));
    if (result < 0) {
      throw Errno.connectFailure("cannot connect to " + to, result);
    }
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
    return sockets.unixMessages();
  }

  @Override
  public int controlRoom() {
    return ReceivedDescriptors.room(maxDescriptors);
  }

  @Override
  public AutoCloseable take(ChannelEvents events, int index) {
    MessageBatch batch = batch();
    @Nullable ReceivedDescriptors descriptors =
        ReceivedDescriptors.take(batch, index, maxDescriptors);
    @Nullable ByteBuf content = null;
    try {
      @Nullable SocketAddress source = batch.source(index);
      boolean truncated = batch.isTruncated(index);
      content = batches.content(events, index);
      return descriptors == null
          ? new Datagram(content, source, null, 0, truncated)
          : descriptors.message(content, source, truncated);
    } catch (RuntimeException | Error e) {
      if (content != null) {
        content.release();
      }
      if (descriptors != null) {
        descriptors.close();
      }
      throw e;
    }
  }

  // ---- sending ----

  @Override
  public boolean supports(AttachedMessage message) {
    return message instanceof DescriptorMessage;
  }

  @Override
  public boolean send(DatagramOutput output) throws IOException {
    return batches.send(output);
  }

  @Override
  public boolean splitsMessages() {
    return false;
  }

  @Override
  public void prepare(DatagramOutput output, int index, Datagram datagram) {
    int segment = datagram.segmentSize();
    if (segment > 0 && datagram.content().readableBytes() > segment) {
      throw new IllegalArgumentException("Unix datagrams have no segments");
    }
    batches.begin(index, datagram);
    if (datagram.remote() != null) {
      batch().destination(index, datagram.remote(), AF_UNIX);
    }
    if (output.attached(datagram) instanceof DescriptorMessage message) {
      batch().passDescriptors(index, message);
    }
  }

  @Override
  public @Nullable IOException noRoom(Datagram datagram) {
    @Nullable SocketAddress to = datagram.remote();
    return to == null
        ? null
        : new SocketException(
            "the queue of " + to + " is full (EAGAIN); see net.unix.max_dgram_qlen");
  }

  // ---- the rest ----

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

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    super.setOption(option, value);
    if (option.equals(PosixSocketOptions.MAX_DESCRIPTORS)) {
      maxDescriptors = (Integer) value;
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return option.equals(PosixSocketOptions.MAX_DESCRIPTORS)
        ? option.type().cast(maxDescriptors)
        : super.getOption(option);
  }
}
