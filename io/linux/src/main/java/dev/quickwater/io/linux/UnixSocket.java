package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_UNIX;
import static dev.quickwater.io.posix.SocketConstants.SOCK_CLOEXEC;
import static dev.quickwater.io.posix.SocketConstants.SOCK_NONBLOCK;
import static dev.quickwater.io.posix.SocketConstants.SOCK_STREAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.AttachedMessage;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.channel.spi.StreamSocket;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.UnixAddresses;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A Unix stream socket on epoll. Reads and writes are those of TCP, except for messages with
/// descriptors.
final class UnixSocket implements StreamSocket {

  private final EpollPoller poller;
  private final int fd;
  private final EpollSocket stream;

  private volatile @Nullable SocketAddress remote;
  private boolean backlogFull;

  /// See [LinuxSocketOptions#MAX_DESCRIPTORS].
  private int maxDescriptors;

  /// The descriptors that came with the bytes of the last read.
  private @Nullable ReceivedDescriptors arrived;

  private UnixSocket(
      EpollPoller poller, int fd, @Nullable SocketAddress remote, ChannelSettings settings) {
    this.poller = poller;
    this.fd = fd;
    this.stream = new EpollSocket(poller, fd, null, SocketKind.UNIX_STREAM);
    this.remote = remote;
    this.maxDescriptors = SocketOptions.maxDescriptors(settings.sockets().options());
  }

  /// Creates a descriptor of a socket that is neither bound nor connected.
  static int create(EpollPoller poller, int type) throws IOException {
    int fd = poller.kernel.socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    return fd;
  }

  static ConnectingIo open(EpollPoller poller, ChannelSettings settings) throws IOException {
    return new UnixSocket(poller, create(poller, SOCK_STREAM), null, settings).start(settings);
  }

  static ConnectingIo adopt(
      EpollPoller poller, int fd, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    UnixSocket socket = new UnixSocket(poller, fd, remote, settings);
    socket.stream.connected();
    return socket.start(settings);
  }

  private ConnectingIo start(ChannelSettings settings) throws IOException {
    return stream.start(this, SocketKind.UNIX_STREAM, settings);
  }

  @Override
  public void interest(int events) throws IOException {
    stream.interest(events);
  }

  // ---- reading ----

  /// Reads without room for descriptors: the kernel closes received ones.
  @Override
  public int read(ByteBuf target) throws IOException {
    if (maxDescriptors == 0) {
      return stream.read(target);
    }
    target.ensureWritable(1);
    int index = target.writerIndex();
    boolean direct = UnsafeViews.isNative(target);
    int length = target.writableBytes();
    long address = UnixSocket.address(poller, target, index, direct);
    MessageBatch batch = poller.unixMessages();
    batch.room(
        0,
        address,
        direct ? length : Math.min(length, Scratch.COPY_SIZE),
        ReceivedDescriptors.room(maxDescriptors));
    int read = (int) batch.receiveOne(poller.kernel, fd, 0);
    if (read <= 0) {
      if (read == 0 || Errno.wouldBlock(read)) {
        return read == 0 ? -1 : 0;
      }
      throw Errno.failure("recvmsg", read);
    }
    arrived = ReceivedDescriptors.take(batch, 0, maxDescriptors);
    if (!direct) {
      Memory.copy(
          address, UnsafeViews.array(target), UnsafeViews.arrayOffset(target) + index, read);
    }
    target.writerIndex(index + read);
    return read;
  }

  private static long address(EpollPoller poller, ByteBuf target, int index, boolean direct) {
    return direct ? UnsafeViews.address(target, index) : poller.scratch.copy;
  }

  @Override
  public Object received(ByteBuf bytes) {
    @Nullable ReceivedDescriptors descriptors = arrived;
    if (descriptors == null) {
      return bytes;
    }
    arrived = null;
    try {
      return descriptors.message(bytes, null, false);
    } catch (Error e) {
      descriptors.close();
      throw e;
    }
  }

  // ---- writing ----

  @Override
  public boolean supports(AttachedMessage message) {
    return message instanceof DescriptorMessage;
  }

  @Override
  public boolean write(StreamOutput output) throws IOException {
    return output.attached() instanceof DescriptorMessage message
        ? writeDescriptors(output, message)
        : stream.write(output);
  }

  private boolean writeDescriptors(StreamOutput output, DescriptorMessage message)
      throws IOException {
    ByteBuf content = message.content();
    int index = content.readerIndex();
    int length = content.readableBytes();
    boolean direct = UnsafeViews.isNative(content);
    long address = UnixSocket.address(poller, content, index, direct);
    if (!direct) {
      length = Math.min(length, Scratch.COPY_SIZE);
      Memory.copy(
          UnsafeViews.array(content), UnsafeViews.arrayOffset(content) + index, address, length);
    }
    MessageBatch batch = poller.unixMessages();
    batch.begin(0);
    batch.region(0, address, length);
    batch.passDescriptors(0, message.numbers());
    long sent = batch.sendOne(poller.kernel, fd, 0);
    if (sent > 0) {
      output.attachmentSent();
    }
    return EpollSocket.progress(output, sent, length);
  }

  // ---- connecting ----

  /// Connects at once or fails: with a full backlog no attempt is in progress.
  @Override
  public boolean connect(SocketAddress to, @Nullable SocketAddress from) throws IOException {
    if (to instanceof DescriptorAddress) {
      return true; // the descriptor was passed connected
    }
    if (from != null) {
      UnixBinding.bind(poller, fd, from, "cannot bind to ");
    }
    remote = to;
    long address = poller.scratch.address;
    int result = poller.kernel.connect(fd, address, UnixAddresses.encode(to, address));
    backlogFull = Errno.wouldBlock(result);
    if (backlogFull) {
      return false;
    }
    if (result < 0) {
      throw Errno.connectFailure("cannot connect to " + to, result);
    }
    stream.connected();
    return true;
  }

  @Override
  public boolean isBacklogFull() {
    return backlogFull;
  }

  /// Never called: no attempt is ever in progress.
  @Override
  public void finishConnect() throws IOException {
    stream.finishConnect();
  }

  // ---- the rest ----

  @Override
  public void shutdownOutput() throws IOException {
    stream.shutdownOutput();
  }

  @Override
  public @Nullable IOException pendingError() {
    return stream.pendingError();
  }

  @Override
  public void close() {
    stream.close();
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return stream.localAddress();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    stream.setOption(option, value);
    if (option.equals(LinuxSocketOptions.MAX_DESCRIPTORS)) {
      maxDescriptors = (Integer) value;
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return option.equals(LinuxSocketOptions.MAX_DESCRIPTORS)
        ? option.type().cast(maxDescriptors)
        : stream.getOption(option);
  }
}
