package dev.quickwater.http.engine;

import dev.quickwater.channel.ChannelHandler;

/// The channel handler of a server's connection, in every version of HTTP.
public interface ServerHandler extends ChannelHandler {

  /// Closes the connection as soon as no exchange is open. Loop only.
  void drain();
}
