package dev.quickwater.channel.nio;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.FilePiece;
import dev.quickwater.channel.spi.StreamDriver;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.channel.spi.StreamSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A stream socket of NIO.
final class NioSocket implements StreamSocket, NioEndpoint {

  /// The maximum bytes of one transfer: a fast peer must not hold the loop.
  private static final long TRANSFER = 1 << 20;

  /// The read size for a file that cannot be transferred.
  private static final int FILE_CHUNK = 64 << 10;

  private final NioPoller poller;
  private final SocketChannel channel;
  private final SelectionKey key;
  private boolean connecting;
  private @Nullable SocketAddress target;

  private NioSocket(NioPoller poller, SocketChannel channel, SelectionKey key) {
    this.poller = poller;
    this.channel = channel;
    this.key = key;
  }

  static ConnectingIo open(NioPoller poller, SocketChannel channel, ChannelSettings settings)
      throws IOException {
    for (Map.Entry<SocketOption<?>, Object> option : settings.sockets().options().entrySet()) {
      // Listening has checked that the other options are those of listening sockets.
      if (channel.supportedOptions().contains(option.getKey())) {
        NioEndpoint.set(channel, option.getKey(), option.getValue());
      }
    }
    SelectionKey key = channel.register(poller.selector, 0);
    StreamDriver driver = new StreamDriver(new NioSocket(poller, channel, key));
    key.attach(driver);
    return driver;
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
    target.ensureWritable(1);
    int index = target.writerIndex();
    int read = channel.read(UnsafeViews.byteBuffer(target, index, target.writableBytes()));
    if (read > 0) {
      target.writerIndex(index + read);
    }
    return read;
  }

  @Override
  public boolean write(StreamOutput output) throws IOException {
    if (output.first() instanceof FileRegion region) {
      return writeFile(output, region);
    }
    ByteBuffer bytes = poller.staging.fill(output);
    int length = bytes.remaining();
    int written = channel.write(bytes);
    output.progress(written);
    return written == length;
  }

  private boolean writeFile(StreamOutput output, FileRegion region) throws IOException {
    if (region.source() instanceof ChannelFileSource file) {
      long want = Math.min(region.size(), TRANSFER);
      long sent = file.channel().transferTo(region.position(), want, channel);
      if (sent == 0 && file.channel().size() <= region.position()) {
        throw FilePiece.shrunk(region);
      }
      output.progress(sent);
      return sent == want;
    }
    ByteBuf chunk = FilePiece.read(region, ByteBufAllocator.shared(), FILE_CHUNK);
    try {
      int length = chunk.readableBytes();
      int written = channel.write(UnsafeViews.byteBuffer(chunk, 0, length));
      output.progress(written);
      return written == length;
    } finally {
      chunk.release();
    }
  }

  @Override
  public boolean connect(SocketAddress remote, @Nullable SocketAddress local) throws IOException {
    if (local != null) {
      bind(local);
    }
    target = remote;
    boolean done;
    try {
      done = channel.connect(remote);
    } catch (UnresolvedAddressException _) {
      throw new UnknownHostException(remote + " is not resolved");
    } catch (SocketException e) {
      throw named(e); // of a Unix socket also if the backlog is full, which the JDK does not await
    }
    connecting = !done;
    return done;
  }

  private void bind(SocketAddress local) throws IOException {
    try {
      channel.bind(local);
    } catch (BindException e) {
      BindException named =
          new BindException("cannot bind to " + local + ": " + NioUnix.reason(local, e));
      named.initCause(e);
      throw named;
    }
  }

  private ConnectException named(SocketException cause) {
    ConnectException named =
        new ConnectException("cannot connect to " + target + ": " + cause.getMessage());
    named.initCause(cause);
    return named;
  }

  @Override
  public void finishConnect() throws IOException {
    try {
      channel.finishConnect();
    } catch (ConnectException e) {
      throw named(e);
    }
    connecting = false;
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remoteAddress(channel);
  }

  static @Nullable SocketAddress remoteAddress(SocketChannel channel) {
    try {
      return channel.getRemoteAddress();
    } catch (IOException _) {
      return null;
    }
  }

  @Override
  public SocketChannel channel() {
    return channel;
  }
}
