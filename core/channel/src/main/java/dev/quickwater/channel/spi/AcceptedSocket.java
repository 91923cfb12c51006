package dev.quickwater.channel.spi;

import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// An accepted connection without a loop. Exactly one of [#open] and [#close] is called.
public interface AcceptedSocket extends AutoCloseable {

  /// Sets the socket options of `settings`, if the transport has any, and returns the transport of
  /// a channel on the loop of `poller`, which must be a poller of the same transport. Called on the
  /// thread of that loop. If this throws, the socket has been closed.
  ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException;

  /// The peer's address, or null if the peer has none. Callable only before the other methods; any
  /// thread.
  @Nullable SocketAddress remoteAddress();

  /// Closes the socket. Any thread.
  @Override
  void close();
}
