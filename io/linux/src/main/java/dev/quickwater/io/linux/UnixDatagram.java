package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_UNIX;
import static dev.quickwater.io.posix.SocketConstants.SOCK_DGRAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.AttachedMessage;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.DatagramDriver;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.DatagramSocket;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.UnixAddresses;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A Unix datagram socket on epoll. Its datagrams are not lost: a connected socket waits while the
/// peer's queue is full. On an unconnected socket the datagram fails instead: the kernel reports
/// the socket as writable, and waiting for one receiver would delay the others.
final class UnixDatagram extends EpollDescriptor implements DatagramSocket, DatagramBatches.Form {

  private final @Nullable SocketAddress local;
  private final @Nullable SocketAddress remote;
  private int maxDescriptors;
  private final DatagramBatches batches;

  private UnixDatagram(
      EpollPoller poller, int fd, @Nullable SocketAddress remote, ChannelSettings settings) {
    super(poller, fd, SocketKind.UNIX_DATAGRAM);
    this.local = EpollSocket.localAddress(poller, fd);
    this.remote = remote;
    this.batches = new DatagramBatches(poller, fd, remote, this);
    this.maxDescriptors = SocketOptions.maxDescriptors(settings.sockets().options());
  }

  static ChannelIo open(
      EpollPoller poller,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    int fd = UnixSocket.create(poller, SOCK_DGRAM);
    try {
      SocketOptions.apply(poller, fd, SocketKind.UNIX_DATAGRAM, settings.sockets().options());
      if (local != null) {
        UnixBinding.bind(poller, fd, local, "cannot bind to ");
      }
      if (remote != null) {
        connect(poller, fd, remote);
      }
      poller.useDatagrams();
      UnixDatagram socket = new UnixDatagram(poller, fd, remote, settings);
      DatagramDriver driver = new DatagramDriver(socket);
      poller.register(socket, driver);
      return driver;
    } catch (IOException | RuntimeException | Error e) {
      poller.kernel.close(fd);
      throw e;
    }
  }

  private static void connect(EpollPoller poller, int fd, SocketAddress to) throws IOException {
    long address = poller.scratch.address;
    int result = poller.kernel.connect(fd, address, UnixAddresses.encode(to, address));
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
    return poller.unixMessages();
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
  public void prepare(DatagramOutput output, int index) {
    Datagram datagram = output.flushedAt(index);
    int segment = datagram.segmentSize();
    if (segment > 0 && datagram.content().readableBytes() > segment) {
      throw new IllegalArgumentException("Unix datagrams have no segments");
    }
    batches.begin(index, datagram);
    if (datagram.remote() != null) {
      batch().destination(index, datagram.remote(), AF_UNIX);
    }
    if (output.attached(datagram) instanceof DescriptorMessage message) {
      batch().passDescriptors(index, message.numbers());
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
    if (option.equals(LinuxSocketOptions.MAX_DESCRIPTORS)) {
      maxDescriptors = (Integer) value;
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return option.equals(LinuxSocketOptions.MAX_DESCRIPTORS)
        ? option.type().cast(maxDescriptors)
        : super.getOption(option);
  }
}
