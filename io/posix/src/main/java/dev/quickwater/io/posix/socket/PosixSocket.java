package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET6;
import static dev.quickwater.io.posix.gate.SocketConstants.MSG_NOSIGNAL;
import static dev.quickwater.io.posix.gate.SocketConstants.SHUT_WR;
import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_STREAM;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.FilePiece;
import dev.quickwater.channel.spi.StreamDriver;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.channel.spi.StreamSocket;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.PackedAddress;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.UnixAddresses;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A stream socket: TCP, or the common part of a [UnixSocket].
final class PosixSocket extends SocketDescriptor implements StreamSocket {

  /// The maximum bytes of one sendfile call: a fast peer must not hold the loop.
  private static final long FILE_CHUNK = 1 << 20;

  private volatile boolean connected;
  private volatile boolean closed;
  private volatile @Nullable SocketAddress local;
  private volatile @Nullable PackedAddress remote;

  PosixSocket(LoopSockets sockets, int fd, @Nullable PackedAddress remote, SocketKind kind) {
    super(sockets, fd, kind);
    this.remote = remote;
  }

  static ConnectingIo open(LoopSockets sockets, InetSocketAddress remote, ChannelSettings settings)
      throws IOException {
    int family = family(remote);
    int fd = sockets.kernel.socket(family, SOCK_STREAM, 0);
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    return new PosixSocket(sockets, fd, null, SocketKind.STREAM).start(SocketKind.STREAM, settings);
  }

  static ConnectingIo adopt(
      LoopSockets sockets, int fd, @Nullable PackedAddress remote, ChannelSettings settings)
      throws IOException {
    PosixSocket socket = new PosixSocket(sockets, fd, remote, SocketKind.STREAM);
    socket.connected();
    return socket.start(SocketKind.ACCEPTED, settings);
  }

  /// The address family of a socket that will connect to `remote`.
  private static int family(InetSocketAddress remote) {
    return remote.getAddress() instanceof Inet6Address ? AF_INET6 : AF_INET;
  }

  /// Sets the options and registers with the sockets. Closes the socket if that fails.
  private ConnectingIo start(SocketKind optionsOf, ChannelSettings settings) throws IOException {
    return start(this, optionsOf, settings);
  }

  /// Like [#start(SocketKind, ChannelSettings)], for a socket that contains this one.
  ConnectingIo start(StreamSocket whole, SocketKind optionsOf, ChannelSettings settings)
      throws IOException {
    try {
      SocketOptions.apply(sockets, fd, optionsOf, settings.sockets().options());
      StreamDriver driver = new StreamDriver(whole);
      sockets.register(this, driver);
      return driver;
    } catch (IOException | RuntimeException | Error e) {
      sockets.kernel.close(fd);
      throw e;
    }
  }

  /// Records that the socket is connected: the local address is final.
  void connected() {
    connected = true;
  }

  // ---- reading ----

  @Override
  public int read(ByteBuf target) throws IOException {
    target.ensureWritable(1);
    int index = target.writerIndex();
    int room = target.writableBytes();
    boolean direct = UnsafeViews.isNative(target);
    long address = direct ? UnsafeViews.address(target, index) : sockets.scratch.copy;
    int length = direct ? room : Math.min(room, Scratch.COPY_SIZE);
    int read = (int) sockets.kernel.recv(fd, address, length, 0);
    if (read > 0) {
      if (direct) {
        target.writerIndex(index + read);
      } else {
        Memory.copy(
            address, UnsafeViews.array(target), UnsafeViews.arrayOffset(target) + index, read);
        target.writerIndex(index + read);
      }
      return read;
    }
    if (read == 0) {
      return -1;
    }
    if (Errno.wouldBlock(read)) {
      return 0;
    }
    throw Errno.failure("read", read);
  }

  // ---- writing ----

  @Override
  public boolean write(StreamOutput output) throws IOException {
    Payload first = output.first();
    if (first instanceof FileRegion region) {
      return writeFile(output, region);
    }
    if (output.plainCount() == 1
        && first instanceof ByteBuf buffer
        && UnsafeViews.isNative(buffer)) {
      int length = buffer.readableBytes();
      long sent =
          sockets.kernel.send(
              fd, UnsafeViews.address(buffer, buffer.readerIndex()), length, MSG_NOSIGNAL);
      return progress(output, sent, length);
    }
    return writeGathering(output);
  }

  /// Array buffers are copied to native memory. The list ends at the first buffer that does not
  /// fit, or at a file.
  private boolean writeGathering(StreamOutput output) throws IOException {
    Scratch scratch = sockets.scratch;
    int most = Math.min(output.plainCount(), Scratch.IOVECS);
    int count = 0;
    long length = 0;
    int copied = 0;
    while (count < most && output.flushedAt(count) instanceof ByteBuf buffer) {
      int bytes = buffer.readableBytes();
      if (UnsafeViews.isNative(buffer)) {
        scratch.iovec(count, UnsafeViews.address(buffer, buffer.readerIndex()), bytes);
      } else {
        int room = Scratch.COPY_SIZE - copied;
        if (room == 0) {
          break;
        }
        int part = Math.min(bytes, room);
        Memory.copy(
            UnsafeViews.array(buffer),
            UnsafeViews.arrayOffset(buffer) + buffer.readerIndex(),
            scratch.copy + copied,
            part);
        scratch.iovec(count, scratch.copy + copied, part);
        copied += part;
        if (part < bytes) {
          length += part;
          count++;
          break;
        }
      }
      length += bytes;
      count++;
    }
    return progress(output, sockets.kernel.writev(fd, scratch.iovecs, count), length);
  }

  private boolean writeFile(StreamOutput output, FileRegion region) throws IOException {
    if (region.source() instanceof DescriptorFile file) {
      long want = Math.min(region.size(), FILE_CHUNK);
      long position = sockets.scratch.value;
      NativeOrder.putLong(position, region.position());
      long sent = sockets.kernel.sendfile(fd, file.fd(), position, want);
      if (sent == 0) {
        throw FilePiece.shrunk(region);
      }
      if (!Errno.isMissingCall(sent)) {
        return progress(output, sent, want);
      }
    }
    return writeFileCopy(output, region);
  }

  private boolean writeFileCopy(StreamOutput output, FileRegion region) throws IOException {
    ByteBuf chunk = FilePiece.read(region, ByteBufAllocator.shared(), Scratch.COPY_SIZE);
    try {
      int length = chunk.readableBytes();
      long sent = sockets.kernel.send(fd, UnsafeViews.address(chunk, 0), length, MSG_NOSIGNAL);
      return progress(output, sent, length);
    } finally {
      chunk.release();
    }
  }

  static boolean progress(StreamOutput output, long sent, long length) throws IOException {
    if (sent >= 0) {
      output.progress(sent);
      return sent == length;
    }
    if (Errno.wouldBlock(sent)) {
      return false;
    }
    throw Errno.failure("write", sent);
  }

  @Override
  public void shutdownOutput() throws IOException {
    int result = sockets.kernel.shutdown(fd, SHUT_WR);
    if (result < 0) {
      throw Errno.failure("shutdown", result);
    }
  }

  // ---- connecting ----

  @Override
  public boolean connect(SocketAddress to, @Nullable SocketAddress from) throws IOException {
    if (to instanceof DescriptorAddress) {
      return true; // the descriptor was passed connected
    }
    InetSocketAddress target = LoopSockets.inet(to);
    int family = family(target);
    long address = sockets.scratch.address;
    if (from != null) {
      int length = SocketAddresses.encode(LoopSockets.inet(from), family, address);
      int bound = sockets.kernel.bind(fd, address, length);
      if (bound < 0) {
        throw Errno.bindFailure("cannot bind to " + from, bound);
      }
    }
    remote = PackedAddress.of(target);
    int length = SocketAddresses.encode(target, family, address);
    int result = sockets.kernel.connect(fd, address, length);
    if (result == 0) {
      connected = true;
      return true;
    }
    if (Errno.connects(result)) {
      return false;
    }
    throw Errno.connectFailure("cannot connect to " + to, result);
  }

  @Override
  public void finishConnect() throws IOException {
    int errno = SocketOptions.takeError(sockets, fd);
    if (errno != 0) {
      throw Errno.connectFailure("cannot connect to " + remote, -errno);
    }
    connected = true;
  }

  @Override
  public void close() {
    closed = true;
    super.close();
  }

  // ---- addresses and options ----

  /// Reads the address from the kernel once, on any thread, with a call that does not use the
  /// sockets's memory. The result is valid only if the socket is open after the call: otherwise the
  /// descriptor may have another owner. It is cached only if the socket was connected before the
  /// call, because connecting changes it.
  @Override
  public @Nullable SocketAddress localAddress() {
    @Nullable SocketAddress known = local;
    if (known == null && !closed) {
      boolean isFinal = connected;
      known = OffLoopCalls.local(fd);
      if (closed) {
        return null;
      }
      if (isFinal) {
        local = known;
      }
    }
    return known;
  }

  static @Nullable SocketAddress localAddress(LoopSockets sockets, int fd) {
    Scratch scratch = sockets.scratch;
    NativeOrder.putInt(scratch.length, UnixAddresses.SIZE);
    int result = sockets.kernel.getsockname(fd, scratch.address, scratch.length);
    return result < 0
        ? null
        : SocketAddresses.decode(scratch.address, NativeOrder.getInt(scratch.length));
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    @Nullable PackedAddress known = remote;
    return known == null ? null : known.unpack();
  }
}
