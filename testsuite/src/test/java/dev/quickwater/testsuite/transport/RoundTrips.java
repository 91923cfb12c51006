package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import org.jspecify.annotations.Nullable;

/// Sends bytes and returns each that arrives, until enough have made a round trip.
final class RoundTrips implements ChannelHandler {

  private @Nullable Pause pause;

  private final long enough;
  volatile long received;

  RoundTrips(long enough) {
    this.enough = enough;
  }

  void begin(Channel channel, int inFlight) {
    channel.writeAndFlush(ByteBuf.wrap(new byte[inFlight]));
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the loop
  public void channelRead(HandlerContext context, Object message) {
    ByteBuf buffer = (ByteBuf) message;
    received += buffer.readableBytes();
    if (received < enough) {
      context.write(buffer);
    } else {
      buffer.release();
    }
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
    }
  }
}
