package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import org.jspecify.annotations.Nullable;

/// Compares the input with the stream of [Payloads] and keeps nothing.
final class StreamCheck implements ChannelHandler {

  volatile long received;
  volatile @Nullable String wrong;

  @Override
  public void channelRead(HandlerContext context, Object message) {
    ByteBuf buffer = (ByteBuf) message;
    long position = received;
    while (buffer.isReadable()) {
      byte value = buffer.readByte();
      if (value != Payloads.at(position) && wrong == null) {
        wrong = "byte " + position + " is " + value + ", expected " + Payloads.at(position);
      }
      position++;
    }
    buffer.release();
    received = position;
  }
}
