package dev.quickwater.microbench.channel;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// What does a connection cost that opens and closes, above its transport?
///
/// A channel without a socket is made on a loop that exists, gets two handlers from an initializer,
/// becomes active and is closed. With `--allocations` the bytes show what a connection takes before
/// its first byte arrives.
public class ChannelCreationBenchmark extends PairedBenchmark {

  private final EmbeddedChannel ours = new EmbeddedChannel();
  private final io.netty.channel.embedded.EmbeddedChannel theirs =
      new io.netty.channel.embedded.EmbeddedChannel();
  private final EventLoop nettyLoop = theirs.eventLoop();

  @TearDown
  public void close() {
    ours.close();
    theirs.finishAndReleaseAll();
  }

  @Benchmark
  public Channel quickwaterOpenClose() throws Exception {
    Channel channel =
        Channel.open(
            ours.loop(),
            new SilentIo(),
            ChannelSettings.DEFAULT,
            opened -> opened.pipeline().addLast(new Reader()).addLast(new Reader()));
    channel.close();
    ours.runTasks();
    return channel;
  }

  @Benchmark
  public Object nettyOpenClose() {
    SilentNettyChannel channel = new SilentNettyChannel();
    channel
        .pipeline()
        .addLast(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(io.netty.channel.Channel opened) {
                opened.pipeline().addLast(new NettyReader(), new NettyReader());
              }
            });
    channel.unsafe().register(nettyLoop, channel.newPromise());
    channel.unsafe().close(channel.voidPromise());
    theirs.runPendingTasks();
    return channel;
  }

  private static final class Reader implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.fireChannelRead(message);
    }
  }

  private static final class NettyReader extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.fireChannelRead(message);
    }
  }
}
