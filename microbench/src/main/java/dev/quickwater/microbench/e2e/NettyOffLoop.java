package dev.quickwater.microbench.e2e;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetAddress;

/// Netty's side of [OffLoop].
final class NettyOffLoop extends OffLoopSide {

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final Channel channel;
  private volatile long flushes;

  NettyOffLoop() throws IOException, InterruptedException {
    channel =
        new Bootstrap()
            .group(group)
            .channel(EpollSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(new FlushCounter())
            .connect(InetAddress.getLoopbackAddress(), port())
            .sync()
            .channel();
  }

  private final class FlushCounter extends ChannelOutboundHandlerAdapter {
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the loop alone
    public void flush(ChannelHandlerContext context) {
      flushes++;
      context.flush();
    }
  }

  @Override
  boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  void write(int bytes) {
    ByteBuf message = channel.alloc().directBuffer(bytes);
    var _ = channel.writeAndFlush(message.writerIndex(bytes), channel.voidPromise());
  }

  @Override
  void execute(Runnable task) {
    channel.eventLoop().execute(task);
  }

  @Override
  long flushes() {
    return flushes;
  }

  @Override
  public void close() throws IOException {
    var _ = group.shutdownGracefully();
    super.close();
  }
}
