package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_UNIX;
import static dev.quickwater.io.posix.SocketConstants.SOCK_DGRAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.AttachedMessage;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.DatagramDriver;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.DatagramSocket;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.UnixAddresses;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A Unix datagram socket on epoll. Its datagrams are not lost: a connected socket waits while the
/// queue of its peer is full. A socket that is not connected cannot wait, because the kernel
/// reports it as writable and one receiver would hold up the others: the datagram fails.
final class UnixDatagram implements DatagramSocket {

  private final EpollPoller poller;
  private final int fd;
  private final @Nullable SocketAddress local;
  private final @Nullable SocketAddress remote;
  private EpollPoller.@Nullable Registration registration;
  private int maxDescriptors;
  private boolean closed;

  private UnixDatagram(
      EpollPoller poller, int fd, @Nullable SocketAddress remote, ChannelSettings settings) {
    this.poller = poller;
    this.fd = fd;
    this.local = EpollSocket.localAddress(poller, fd);
    this.remote = remote;
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
      socket.registration = poller.register(fd, driver);
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

  @Override
  public void interest(int events) throws IOException {
    if (registration != null) {
      poller.interest(registration, events);
    }
  }

  // ---- receiving ----

  @Override
  public boolean receive(ChannelEvents events, int max) throws IOException {
    for (int left = max; left > 0; ) {
      int count = Math.min(left, DatagramBuffers.MESSAGES);
      int received = receiveBatch(events, count);
      left -= Math.max(received, 1);
      if (received < count || closed) {
        return false;
      }
    }
    return true;
  }

  /// All messages are taken before the first is passed on: a handler may use the memory for another
  /// socket.
  private int receiveBatch(ChannelEvents events, int count) throws IOException {
    MessageBatch batch = poller.unixMessages();
    DatagramBuffers buffers = poller.datagrams();
    int control = ReceivedDescriptors.room(maxDescriptors);
    for (int i = 0; i < count; i++) {
      batch.room(i, buffers.room(i), DatagramBuffers.ROOM, control);
    }
    int received = batch.receive(poller.kernel, fd, count);
    if (received < 0) {
      if (Errno.wouldBlock(received)) {
        return 0;
      }
      throw Errno.failure("recvmmsg", received);
    }
    AutoCloseable[] messages = new AutoCloseable[received];
    int taken = 0;
    for (int i = 0; i < received; i++) {
      @Nullable ReceivedDescriptors descriptors =
          ReceivedDescriptors.take(batch, i, maxDescriptors);
      try {
        messages[taken] = message(events, batch, i, descriptors);
        taken++;
      } catch (OutOfMemoryError e) {
        if (descriptors != null) {
          descriptors.close();
        }
        events.messageFailed(e); // this datagram is lost
      }
    }
    for (int i = 0; i < taken; i++) {
      deliver(events, messages[i]);
    }
    return received;
  }

  private void deliver(ChannelEvents events, AutoCloseable message) {
    if (closed) {
      Messages.discard(message);
    } else {
      events.received(message);
    }
  }

  private AutoCloseable message(
      ChannelEvents events,
      MessageBatch batch,
      int index,
      @Nullable ReceivedDescriptors descriptors) {
    int length = Math.min(batch.length(index), DatagramBuffers.ROOM);
    ByteBuf content = events.allocator().allocate(length);
    long from = poller.datagrams().room(index);
    if (UnsafeViews.isNative(content)) {
      Memory.copy(from, UnsafeViews.address(content, 0), length);
    } else {
      Memory.copy(from, UnsafeViews.array(content), UnsafeViews.arrayOffset(content), length);
    }
    content.writerIndex(length);
    @Nullable SocketAddress source = batch.source(index);
    boolean truncated = batch.isTruncated(index);
    try {
      return descriptors == null
          ? new Datagram(content, source, null, 0, truncated)
          : descriptors.message(content, source, truncated);
    } catch (Error e) {
      content.release();
      throw e;
    }
  }

  // ---- sending ----

  @Override
  public boolean takes(AttachedMessage message) {
    return message instanceof DescriptorMessage;
  }

  @Override
  public boolean send(DatagramOutput output) throws IOException {
    MessageBatch batch = poller.unixMessages();
    int offered = 0;
    int most = Math.min(output.flushedCount(), DatagramBuffers.MESSAGES);
    @Nullable RuntimeException refused = null;
    while (offered < most && refused == null) {
      try {
        Datagram datagram = output.flushedAt(offered);
        prepare(batch, offered, datagram, output.attached(datagram));
        offered++;
      } catch (RuntimeException e) {
        refused = e; // of this datagram, which is the first once those before it are sent
      }
    }
    if (offered == 0 && refused != null) {
      output.fail(refused);
      return true;
    }
    int sent = batch.send(poller.kernel, fd, 0, offered);
    if (sent >= 0) {
      output.sent(sent);
      return true;
    }
    @Nullable SocketAddress to = output.flushedAt(0).remote();
    if (Errno.wouldBlock(sent)) {
      if (to == null) {
        return false;
      }
      output.fail(
          new SocketException(
              "the queue of " + to + " is full (EAGAIN); see net.unix.max_dgram_qlen"));
      return true;
    }
    if (!Errno.concernsOneMessage(sent)) {
      throw Errno.failure("sendmmsg", sent);
    }
    output.fail(Errno.failure("cannot send a datagram to " + (to == null ? remote : to), sent));
    return true;
  }

  private void prepare(
      MessageBatch batch, int index, Datagram datagram, @Nullable AttachedMessage attached) {
    ByteBuf content = datagram.content();
    int length = content.readableBytes();
    if (datagram.segmentSize() > 0 && length > datagram.segmentSize()) {
      throw new IllegalArgumentException("Unix datagrams have no segments");
    }
    batch.begin(index);
    batch.region(index, address(content, length, index), length);
    if (datagram.remote() != null) {
      batch.destination(index, datagram.remote(), AF_UNIX);
    } else if (remote == null) {
      throw new IllegalArgumentException(
          "the datagram has no remote address and its channel is not connected");
    }
    if (attached instanceof DescriptorMessage message) {
      batch.passDescriptors(index, message.numbers());
    }
  }

  private long address(ByteBuf content, int length, int index) {
    if (UnsafeViews.isNative(content)) {
      return UnsafeViews.address(content, content.readerIndex());
    }
    if (length > DatagramBuffers.ROOM) {
      throw new IllegalArgumentException(
          "a datagram of "
              + length
              + " bytes in an array, expected at most "
              + DatagramBuffers.ROOM
              + "; native buffers may be longer");
    }
    long room = poller.datagrams().room(index);
    Memory.copy(
        UnsafeViews.array(content),
        UnsafeViews.arrayOffset(content) + content.readerIndex(),
        room,
        length);
    return room;
  }

  // ---- the rest ----

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
    SocketOptions.set(poller, fd, SocketKind.UNIX_DATAGRAM, option, value);
    if (option.equals(LinuxSocketOptions.MAX_DESCRIPTORS)) {
      maxDescriptors = (Integer) value;
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return option.equals(LinuxSocketOptions.MAX_DESCRIPTORS)
        ? option.type().cast(maxDescriptors)
        : SocketOptions.get(poller, fd, SocketKind.UNIX_DATAGRAM, option);
  }
}
