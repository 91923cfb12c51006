package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.PauseReason;

/// Sends back what comes in, and does not read while it cannot write: flat memory whatever the peer
/// does.
final class Echo implements ChannelHandler {

  @Override
  public void channelRead(HandlerContext context, Object message) {
    context.write(message);
    if (!context.channel().isWritable()) {
      context.channel().pauseReading(PauseReason.USER);
    }
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    context.flush();
  }

  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    if (context.channel().isWritable()) {
      context.channel().resumeReading(PauseReason.USER);
    } else {
      context.flush();
    }
  }
}
