package dev.quickwater.channel.spi;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// What a channel tells its transport. Results come back through [ChannelEvents]; a transport based
/// on readiness and one based on completion look the same from here. Loop thread only.
public interface ChannelIo {

  /// Names the receiver of all events; called once, before anything else.
  void attach(ChannelEvents events);

  /// Begins to connect: [ChannelEvents#connected] or [ChannelEvents#connectFailed] follows.
  void connect(SocketAddress remote, @Nullable SocketAddress local);

  /// Reading goes on; also tells a fresh channel to begin.
  void startReading();

  /// No further [ChannelEvents#received] until [#startReading].
  void stopReading();

  /// There is something flushed in [ChannelEvents#outbound]; the transport takes it from there now
  /// and whenever the kernel lets it, until nothing flushed is left.
  void flush();

  /// Ends our direction; nothing flushed is left.
  void shutdownOutput() throws IOException;

  /// Closes; no event follows. Called once.
  void close();

  /// The address that the socket is bound to, or null when it is not.
  @Nullable SocketAddress localAddress();

  /// The peer's address, or null when there is none.
  @Nullable SocketAddress remoteAddress();

  /// Sets a socket option.
  ///
  /// @throws UnsupportedOperationException if the transport does not know it
  <T> void setOption(SocketOption<T> option, T value) throws IOException;

  /// Reads a socket option.
  ///
  /// @throws UnsupportedOperationException if the transport does not know it
  <T> T getOption(SocketOption<T> option) throws IOException;
}
