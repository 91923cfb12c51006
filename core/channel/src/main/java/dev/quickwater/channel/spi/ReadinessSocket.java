package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A non-blocking socket as the readiness transports see it; [ReadinessIo] makes a channel's
/// transport of it. Loop thread only.
public interface ReadinessSocket {

  /// The event mask bit for reading, or accepting.
  int READ = 1;

  /// The event mask bit for writing, or connecting.
  int WRITE = 2;

  /// Asks for readiness events: [ReadinessIo#ready] is called while one of them holds.
  void interest(int events) throws IOException;

  /// Reads into the free space of `target`.
  ///
  /// @return bytes read, 0 when there is none now, -1 at the end of the stream
  int read(ByteBuf target) throws IOException;

  /// Accepts a connection; null when there is none now.
  @Nullable AcceptedSocket accept() throws IOException;

  /// Sends from the front of what is flushed, in one call to the kernel, and reports it there with
  /// `progress`.
  ///
  /// @return true if the kernel took all it was offered, false if it would block now
  boolean write(OutboundBuffer outbound) throws IOException;

  /// Begins to connect.
  ///
  /// @return true if the connection is up already
  boolean connect(SocketAddress remote, @Nullable SocketAddress local) throws IOException;

  /// Ends a connect whose socket became writable, or throws what went wrong.
  void finishConnect() throws IOException;

  /// The error that the kernel holds for this socket, or null.
  @Nullable IOException pendingError();

  /// Ends our direction.
  void shutdownOutput() throws IOException;

  /// Closes, once.
  void close();

  /// See [ChannelIo#localAddress].
  @Nullable SocketAddress localAddress();

  /// See [ChannelIo#remoteAddress].
  @Nullable SocketAddress remoteAddress();

  /// See [ChannelIo#setOption].
  <T> void setOption(SocketOption<T> option, T value) throws IOException;

  /// See [ChannelIo#getOption].
  <T> T getOption(SocketOption<T> option) throws IOException;
}
