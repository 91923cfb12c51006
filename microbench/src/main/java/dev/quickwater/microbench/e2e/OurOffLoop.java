package dev.quickwater.microbench.e2e;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;

/// Our side of [OffLoop].
final class OurOffLoop extends OffLoopSide implements ChannelHandler {

  private final EventLoopGroup group =
      EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(1).withTransport("epoll"));
  private final Channel channel;
  private volatile long flushes;

  OurOffLoop() throws IOException, InterruptedException {
    try {
      channel =
          new ClientBootstrap(
                  group, ChannelSettings.DEFAULT, opened -> opened.pipeline().addLast(this))
              .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()))
              .await();
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // by the loop alone
  public void flush(HandlerContext context) {
    flushes++;
    context.flush();
  }

  @Override
  boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  void write(int bytes) {
    ByteBuf message = ByteBufAllocator.shared().allocate(bytes);
    channel.writeAndFlush(message.writerIndex(bytes));
  }

  @Override
  void execute(Runnable task) {
    channel.loop().execute(task);
  }

  @Override
  long flushes() {
    return flushes;
  }

  @Override
  public void close() throws IOException {
    group.close();
    super.close();
  }
}
