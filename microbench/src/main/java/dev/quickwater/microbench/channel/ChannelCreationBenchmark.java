package dev.quickwater.microbench.channel;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Clock;
import dev.quickwater.common.Future;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a connection cost that opens and closes, above its transport?
///
/// A channel without a socket is made on a loop that exists, gets two handlers from an initializer,
/// becomes active and is closed. `ConnectClose` makes two channels that connect within the process
/// on one loop, with a listener that exists. With `--allocations` the bytes show what a connection
/// takes before its first byte arrives.
public class ChannelCreationBenchmark extends PairedBenchmark {

  private final EmbeddedChannel ours = new EmbeddedChannel();
  private final io.netty.channel.embedded.EmbeddedChannel theirs =
      new io.netty.channel.embedded.EmbeddedChannel();
  private final io.netty.channel.EventLoop nettyLoop = theirs.eventLoop();

  private final EventLoop inVmLoop = EventLoop.stepped(new NoPoller(), Clock.system());
  private @Nullable ClientBootstrap inVm;
  private @Nullable SocketAddress inVmAddress;
  private @Nullable ManualIoEventLoop localLoop;
  private @Nullable Bootstrap local;

  @Setup
  public void listen() throws Exception {
    inVmLoop.step();
    Future<Channel> listening =
        new ServerBootstrap(inVmLoop, ChannelSettings.DEFAULT, ChannelCreationBenchmark::fill)
            .listen(InVmAddress.any());
    turn();
    inVmAddress = listening.value().localAddress();
    inVm = new ClientBootstrap(inVmLoop, ChannelSettings.DEFAULT, ChannelCreationBenchmark::fill);
    ManualIoEventLoop stepped =
        new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory());
    localLoop = stepped;
    LocalAddress address = new LocalAddress(ChannelCreationBenchmark.class);
    ChannelFuture bound =
        new io.netty.bootstrap.ServerBootstrap()
            .group(stepped)
            .channel(LocalServerChannel.class)
            .childHandler(new NettyFill())
            .bind(address);
    while (!bound.isDone()) {
      stepped.runNow();
    }
    local =
        new Bootstrap()
            .group(stepped)
            .channel(LocalChannel.class)
            .handler(new NettyFill())
            .remoteAddress(address);
  }

  private static void fill(Channel channel) {
    channel.pipeline().addLast(new Reader()).addLast(new Reader());
  }

  private void turn() {
    while (inVmLoop.step() > 0) {
      // until there is nothing left to do
    }
  }

  @io.netty.channel.ChannelHandler.Sharable
  private static final class NettyFill extends ChannelInitializer<io.netty.channel.Channel> {
    @Override
    protected void initChannel(io.netty.channel.Channel opened) {
      opened.pipeline().addLast(new NettyReader(), new NettyReader());
    }
  }

  /// Two channels that connect within the process, and close.
  @Benchmark
  public Object quickwaterConnectClose() {
    Future<Channel> future =
        Objects.requireNonNull(inVm).connect(Objects.requireNonNull(inVmAddress));
    turn();
    Channel channel = future.value();
    channel.close();
    turn();
    return channel;
  }

  @Benchmark
  public Object nettyConnectClose() {
    ManualIoEventLoop stepped = Objects.requireNonNull(localLoop);
    ChannelFuture connected = Objects.requireNonNull(local).connect();
    while (stepped.runNow() > 0) {
      // until there is nothing left to do
    }
    var _ = connected.channel().close();
    while (stepped.runNow() > 0) {
      // until there is nothing left to do
    }
    return connected.channel();
  }

  @TearDown
  public void close() {
    inVmLoop.endStepped();
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
