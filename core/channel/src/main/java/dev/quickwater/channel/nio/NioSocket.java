package dev.quickwater.channel.nio;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.OutboundBuffer;
import dev.quickwater.channel.spi.ReadinessIo;
import dev.quickwater.channel.spi.ReadinessSocket;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A stream socket of NIO.
final class NioSocket implements ReadinessSocket {

  /// Buffers in one gathering write; the JDK passes no more to the kernel either.
  private static final int MOST_BUFFERS = 16;

  private static final int FILE_CHUNK = 64 << 10;

  private final SocketChannel channel;
  private final SelectionKey key;
  private boolean connecting;

  private NioSocket(SocketChannel channel, SelectionKey key) {
    this.channel = channel;
    this.key = key;
  }

  static ChannelIo open(Selector selector, SocketChannel channel, ChannelSettings settings)
      throws IOException {
    for (Map.Entry<SocketOption<?>, Object> option : settings.options().entrySet()) {
      set(channel, option.getKey(), option.getValue());
    }
    SelectionKey key = channel.register(selector, 0);
    ReadinessIo io = new ReadinessIo(new NioSocket(channel, key), false);
    key.attach(io);
    return io;
  }

  @SuppressWarnings("unchecked") // ChannelSettings pairs an option with a value of its type
  private static <T> void set(SocketChannel channel, SocketOption<T> option, Object value)
      throws IOException {
    channel.setOption(option, (T) value);
  }

  @Override
  public void interest(int events) {
    int ops = (events & READ) != 0 ? SelectionKey.OP_READ : 0;
    if ((events & WRITE) != 0) {
      ops |= connecting ? SelectionKey.OP_CONNECT : SelectionKey.OP_WRITE;
    }
    key.interestOps(ops);
  }

  @Override
  public int read(ByteBuf target) throws IOException {
    int index = target.writerIndex();
    int read = channel.read(target.unsafeByteBuffer(index, target.writableBytes()));
    if (read > 0) {
      target.writerIndex(index + read);
    }
    return read;
  }

  @Override
  public boolean write(OutboundBuffer outbound) throws IOException {
    if (outbound.first() instanceof FileRegion region) {
      return writeFile(outbound, region);
    }
    ByteBuf first = (ByteBuf) outbound.first();
    if (outbound.flushedCount() == 1) {
      int length = first.readableBytes();
      int written = channel.write(first.unsafeByteBuffer(first.readerIndex(), length));
      outbound.progress(written);
      return written == length;
    }
    int most = Math.min(outbound.flushedCount(), MOST_BUFFERS);
    ByteBuffer[] buffers = new ByteBuffer[most];
    int count = 0;
    long length = 0;
    while (count < most && outbound.flushedAt(count) instanceof ByteBuf buffer) {
      buffers[count++] = buffer.unsafeByteBuffer(buffer.readerIndex(), buffer.readableBytes());
      length += buffer.readableBytes();
    }
    long written = channel.write(buffers, 0, count);
    outbound.progress(written);
    return written == length;
  }

  private boolean writeFile(OutboundBuffer outbound, FileRegion region) throws IOException {
    if (region.source() instanceof ChannelFileSource file) {
      long want = region.size();
      long sent = file.channel().transferTo(region.position(), want, channel);
      if (sent == 0 && file.channel().size() <= region.position()) {
        throw shrunk(region);
      }
      outbound.progress(sent);
      return sent > 0;
    }
    int want = (int) Math.min(region.size(), FILE_CHUNK);
    ByteBuf chunk = dev.quickwater.buffer.ByteBufAllocator.shared().allocate(want);
    try {
      if (region.source().read(region.position(), chunk, want) < 0) {
        throw shrunk(region);
      }
      int length = chunk.readableBytes();
      int written = channel.write(chunk.unsafeByteBuffer(0, length));
      outbound.progress(written);
      return written == length;
    } finally {
      chunk.release();
    }
  }

  private static EOFException shrunk(FileRegion region) {
    return new EOFException(
        "the file ends at or before " + region.position() + ", " + region.size() + " bytes short");
  }

  @Override
  public boolean connect(SocketAddress remote, @Nullable SocketAddress local) throws IOException {
    if (local != null) {
      channel.bind(local);
    }
    boolean done;
    try {
      done = channel.connect(remote);
    } catch (java.nio.channels.UnresolvedAddressException _) {
      throw new java.net.UnknownHostException(remote + " is not resolved");
    }
    connecting = !done;
    return done;
  }

  @Override
  public void finishConnect() throws IOException {
    channel.finishConnect();
    connecting = false;
  }

  @Override
  public @Nullable AcceptedSocket accept() {
    throw new UnsupportedOperationException("a connection does not accept");
  }

  @Override
  public @Nullable IOException pendingError() {
    return null;
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }

  static void closeQuietly(AbstractSelectableChannel channel) {
    try {
      channel.close();
    } catch (IOException _) {
      // The descriptor is gone either way, and there is nobody left to tell.
    }
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    try {
      return channel.getLocalAddress();
    } catch (IOException _) {
      return null;
    }
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    try {
      return channel.getRemoteAddress();
    } catch (IOException _) {
      return null;
    }
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    channel.setOption(option, value);
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return channel.getOption(option);
  }
}
