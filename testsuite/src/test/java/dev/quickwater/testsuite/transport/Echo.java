package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import org.jspecify.annotations.Nullable;

/// Sends its input back, and does not read while the channel is unwritable: its memory stays
/// constant whatever the peer does.
final class Echo implements ChannelHandler {

  private @Nullable Pause pause;

  @Override
  public void channelRead(HandlerContext context, Object message) {
    context.write(message);
    if (pause == null && !context.channel().isWritable()) {
      pause = context.channel().pauseReading("backlog");
    }
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    context.flush();
  }

  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    if (context.channel().isWritable()) {
      if (pause != null) {
        pause.close();
        pause = null;
      }
    } else {
      context.flush();
    }
  }
}
