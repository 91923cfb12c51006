package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A Unix socket of the JDK as a blocking TCP socket: tests treat both alike. Timeouts and
/// lingering, which Unix sockets do not have, are ignored.
final class UnixPeer extends Socket {

  private @Nullable SocketChannel channel;

  UnixPeer() {}

  private UnixPeer(SocketChannel channel) {
    this.channel = channel;
  }

  static ChannelSettings withoutTcpOptions(ChannelSettings settings) {
    ChannelSettings adapted = settings.withSockets(ChannelSettings.UNIX.sockets());
    adapted = adapted.withBacklog(settings.sockets().backlog());
    Object sendBuffer = settings.sockets().options().get(StandardSocketOptions.SO_SNDBUF);
    return sendBuffer == null
        ? adapted
        : adapted.withOption(StandardSocketOptions.SO_SNDBUF, (Integer) sendBuffer);
  }

  private SocketChannel open() throws SocketException {
    if (channel == null) {
      throw new SocketException("not connected");
    }
    return channel;
  }

  @Override
  public void connect(SocketAddress to) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(to);
  }

  /// Without a timeout: the kernel refuses at once if the backlog is full.
  @Override
  public void connect(SocketAddress to, int timeout) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.configureBlocking(false);
    try {
      if (channel.connect(to)) {
        channel.configureBlocking(true);
        return;
      }
    } catch (SocketException _) {
      // the JDK does not expect EAGAIN here
    }
    throw new SocketTimeoutException("the backlog is full");
  }

  @Override
  public InputStream getInputStream() throws IOException {
    SocketChannel from = open();
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] target, int at, int length) throws IOException {
        return from.read(ByteBuffer.wrap(target, at, length));
      }
    };
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    SocketChannel to = open();
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] source, int at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(source, at, length);
        try {
          while (bytes.hasRemaining()) {
            to.write(bytes);
          }
        } catch (IOException e) {
          throw new SocketException(e);
        }
      }
    };
  }

  @Override
  public void shutdownOutput() throws IOException {
    open().shutdownOutput();
  }

  @Override
  public void setSoLinger(boolean on, int linger) {}

  @Override
  public void setSoTimeout(int timeout) {}

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /// A listening socket.
  static final class Server extends ServerSocket {

    private final ServerSocketChannel server =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX);

    Server() throws IOException {}

    @Override
    public void bind(SocketAddress to) throws IOException {
      server.bind(to);
    }

    @Override
    public void bind(SocketAddress to, int backlog) throws IOException {
      server.bind(to, backlog);
    }

    @Override
    public Socket accept() throws IOException {
      return new UnixPeer(server.accept());
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
      try {
        return server.getLocalAddress();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void setReceiveBufferSize(int size) {}

    @Override
    public void setSoTimeout(int timeout) {}

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
