package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.AF_UNIX;
import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_STREAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.AttachedMessage;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.channel.spi.StreamSocket;
import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.PosixSocketOptions;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.UnixAddresses;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A Unix stream socket. Reads and writes are those of TCP, except for messages with descriptors.
final class UnixSocket implements StreamSocket {

  private final LoopSockets sockets;
  private final int fd;
  private final PosixSocket stream;

  private volatile @Nullable SocketAddress remote;
  private boolean backlogFull;

  /// See [PosixSocketOptions#MAX_DESCRIPTORS].
  private int maxDescriptors;

  /// The descriptors that came with the bytes of the last read.
  private @Nullable ReceivedDescriptors arrived;

  private UnixSocket(
      LoopSockets sockets, int fd, @Nullable SocketAddress remote, ChannelSettings settings) {
    this.sockets = sockets;
    this.fd = fd;
    this.stream = new PosixSocket(sockets, fd, null, SocketKind.UNIX_STREAM);
    this.remote = remote;
    this.maxDescriptors = SocketOptions.maxDescriptors(settings.sockets().options());
  }

  /// Creates a descriptor of a socket that is neither bound nor connected.
  static int create(LoopSockets sockets, int type) throws IOException {
    int fd = sockets.kernel.socket(AF_UNIX, type, 0);
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    return fd;
  }

  static ConnectingIo open(LoopSockets sockets, ChannelSettings settings) throws IOException {
    return new UnixSocket(sockets, create(sockets, SOCK_STREAM), null, settings).start(settings);
  }

  static ConnectingIo adopt(
      LoopSockets sockets, int fd, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    UnixSocket socket = new UnixSocket(sockets, fd, remote, settings);
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
    long address = UnixSocket.address(sockets, target, index, direct);
    MessageBatch batch = sockets.unixMessages();
    batch.room(
        0,
        address,
        direct ? length : Math.min(length, Scratch.COPY_SIZE),
        ReceivedDescriptors.room(maxDescriptors));
    int read = (int) batch.receiveOne(sockets.kernel, fd, 0);
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

  private static long address(LoopSockets sockets, ByteBuf target, int index, boolean direct) {
    return direct ? UnsafeViews.address(target, index) : sockets.scratch.copy;
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
    long address = UnixSocket.address(sockets, content, index, direct);
    if (!direct) {
      length = Math.min(length, Scratch.COPY_SIZE);
      Memory.copy(
          UnsafeViews.array(content), UnsafeViews.arrayOffset(content) + index, address, length);
    }
    MessageBatch batch = sockets.unixMessages();
    batch.begin(0);
    batch.region(0, address, length);
    batch.passDescriptors(0, message);
    long sent = batch.sendOne(sockets.kernel, fd, 0);
    if (sent > 0) {
      output.attachmentSent();
    }
    return PosixSocket.progress(output, sent, length);
  }

  // ---- connecting ----

  /// Connects at once or fails: with a full backlog no attempt is in progress.
  @Override
  public boolean connect(SocketAddress to, @Nullable SocketAddress from) throws IOException {
    if (to instanceof DescriptorAddress) {
      return true; // the descriptor was passed connected
    }
    if (from != null) {
      UnixBinding.bind(sockets, fd, from, "cannot bind to ");
    }
    remote = to;
    long address = sockets.scratch.address;
    int result = sockets.kernel.connect(fd, address, UnixAddresses.encode(to, address));
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
    if (option.equals(PosixSocketOptions.MAX_DESCRIPTORS)) {
      maxDescriptors = (Integer) value;
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return option.equals(PosixSocketOptions.MAX_DESCRIPTORS)
        ? option.type().cast(maxDescriptors)
        : stream.getOption(option);
  }
}
