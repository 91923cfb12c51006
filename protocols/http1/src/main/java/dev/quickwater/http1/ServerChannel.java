package dev.quickwater.http1;

import dev.quickwater.channel.Channel;
import java.io.IOException;
import java.net.StandardSocketOptions;

/// Performs the effects of the server's engine on a channel.
final class ServerChannel extends ConnectionChannel implements ServerIo {

  private static final System.Logger LOG = System.getLogger(Http1ServerHandler.class.getName());

  private final Http1ServerHandler handler;

  ServerChannel(Channel channel, Http1ServerHandler handler) {
    super(channel);
    this.handler = handler;
  }

  @Override
  Http1ServerHandler handler() {
    return handler;
  }

  @Override
  public boolean takeUnit() {
    return channel.loop().takeUnit(this);
  }

  @Override
  public void resumeLater() {
    channel.loop().defer(handler.engine()::continueTurn);
  }

  @Override
  public void closeGracefully() {
    InputLimits limits = handler.engine().settings().input();
    channel.closeGracefully(limits.lingerTimeout(), limits.maxLinger());
  }

  @Override
  public void reset() {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(System.Logger.Level.DEBUG, "a connection cannot be reset, it is closed", e);
    }
    channel.close();
  }
}
