package dev.quickwater.channel.spi;

import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;

/// A connection that was accepted and belongs to no loop yet. Exactly one of the two methods is
/// called.
public interface AcceptedSocket extends AutoCloseable {

  /// Makes it a channel's transport on the loop of `poller`, which is of the same transport; called
  /// on that loop's thread. When this throws, the socket has been closed.
  ChannelIo open(IoPoller poller, ChannelSettings settings) throws IOException;

  /// Closes it. Any thread.
  @Override
  void close();
}
