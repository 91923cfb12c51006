package dev.quickwater.microbench.channel;

import io.netty.channel.Channel;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import org.jspecify.annotations.Nullable;

/// Netty's counterpart of [NoPoller]: each run reads its channel, if it has one, in the way of
/// Netty's byte channels.
final class NettyTurn implements IoHandler {

  @Nullable Channel readable;

  @Override
  public int run(IoHandlerContext context) {
    if (readable == null) {
      return 0;
    }
    read(readable);
    return 1;
  }

  @SuppressWarnings("deprecation") // the method that Netty's transports use
  private static void read(Channel channel) {
    var sizes = channel.unsafe().recvBufAllocHandle();
    sizes.reset(channel.config());
    io.netty.buffer.ByteBuf buffer = sizes.allocate(channel.alloc());
    sizes.attemptedBytesRead(buffer.writableBytes());
    buffer.writerIndex(EndlessSocket.LENGTH);
    sizes.lastBytesRead(EndlessSocket.LENGTH);
    sizes.incMessagesRead(1);
    channel.pipeline().fireChannelRead(buffer);
    sizes.readComplete();
    channel.pipeline().fireChannelReadComplete();
  }

  @Override
  public IoRegistration register(IoHandle handle) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void wakeup() {}

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return false;
  }
}
