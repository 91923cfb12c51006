package dev.quickwater.channel.spi;

import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// An accepted connection without a loop. Exactly one of [#open] and [#close] is called.
public interface AcceptedSocket extends AutoCloseable {

  /// Makes the socket a channel's transport on the loop of `poller`, a poller of the same
  /// transport. Called on that loop's thread. If this throws, the socket has been closed.
  ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException;

  /// The peer's address, or null if the peer has none. Callable only before the other methods; any
  /// thread.
  @Nullable SocketAddress remoteAddress();

  /// Closes the socket. Any thread.
  @Override
  void close();
}
