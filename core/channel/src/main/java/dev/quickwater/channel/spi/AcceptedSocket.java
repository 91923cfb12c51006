package dev.quickwater.channel.spi;

import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A connection that was accepted and belongs to no loop yet. Exactly one of [#open] and [#close]
/// is called.
public interface AcceptedSocket extends AutoCloseable {

  /// Makes it a channel's transport on the loop of `poller`, which is of the same transport; called
  /// on that loop's thread. When this throws, the socket has been closed.
  ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException;

  /// The peer's address, or null if it has none. Before either of the other methods; any thread.
  @Nullable SocketAddress remoteAddress();

  /// Closes it. Any thread.
  @Override
  void close();
}
