package dev.quickwater.http2;

import dev.quickwater.channel.Channel;

/// Performs the effects of the server's engine on a channel.
final class Http2ServerChannel extends Http2Channel {

  private final Http2ServerHandler handler;

  Http2ServerChannel(Channel channel, Http2ServerHandler handler) {
    super(channel);
    this.handler = handler;
  }

  @Override
  Http2Engine engine() {
    return handler.engine();
  }

  @Override
  public void capacityChanged() {}
}
