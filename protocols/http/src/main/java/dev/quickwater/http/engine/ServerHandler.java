package dev.quickwater.http.engine;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.http.TunnelDrain;
import org.jspecify.annotations.Nullable;

/// The channel handler of a server's connection, in every version of HTTP.
public interface ServerHandler extends ChannelHandler {

  /// Closes the connection as soon as no exchange is open. Loop only.
  void drain();

  /// Begins to drain the connection of a channel. A channel that became a tunnel has no such
  /// handler any more: the handlers of the tunnel are notified. Loop only.
  static void drain(Channel channel) {
    @Nullable ServerHandler server = channel.pipeline().find(ServerHandler.class);
    if (server != null) {
      server.drain();
    } else if (channel.isActive()) {
      channel.pipeline().fireUserEvent(TunnelDrain.INSTANCE);
    }
  }
}
