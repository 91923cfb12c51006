package dev.quickwater.microbench.channel;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.spi.StreamDriver;
import dev.quickwater.common.Clock;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ManualIoEventLoop;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a turn of the loop cost without the kernel?
///
/// `Empty` is a stepped turn that finds nothing to do. `Echo` reads 64 bytes into a buffer of the
/// loop's allocator, passes them to a handler that writes and flushes them, and sends them to a
/// socket that takes everything.
public class LoopTurnBenchmark extends PairedBenchmark {

  private final NoPoller emptyPoller = new NoPoller();
  private final EventLoop empty = EventLoop.stepped(emptyPoller, Clock.system());
  private final NoPoller poller = new NoPoller();
  private final EventLoop loop = EventLoop.stepped(poller, Clock.system());
  private final EndlessSocket socket = new EndlessSocket();

  private final NettyTurn nettyTurn = new NettyTurn();
  private @Nullable ManualIoEventLoop nettyEmpty;
  private @Nullable ManualIoEventLoop nettyLoop;
  private final SilentNettyChannel nettyChannel = new SilentNettyChannel();

  @Setup
  public void open() throws Exception {
    empty.step();
    loop.step();
    StreamDriver driver = new StreamDriver(socket);
    var _ =
        Channel.open(
            loop, driver, ChannelSettings.DEFAULT, opened -> opened.pipeline().addLast(new Echo()));
    poller.readable = driver;
    nettyEmpty = new ManualIoEventLoop(Thread.currentThread(), _ -> new NettyTurn());
    ManualIoEventLoop turning = new ManualIoEventLoop(Thread.currentThread(), _ -> nettyTurn);
    nettyLoop = turning;
    nettyChannel.pipeline().addLast(new NettyEcho());
    nettyChannel.unsafe().register(turning, nettyChannel.newPromise());
    turning.runNow();
    nettyTurn.readable = nettyChannel;
  }

  @TearDown
  public void close() {
    poller.readable = null;
    nettyTurn.readable = null;
    loop.endStepped();
    empty.endStepped();
    nettyChannel.unsafe().closeForcibly();
  }

  @Benchmark
  public int quickwaterEmpty() {
    return empty.step();
  }

  @Benchmark
  public int nettyEmpty() {
    return nettyEmpty == null ? -1 : nettyEmpty.runNow();
  }

  @Benchmark
  public long quickwaterEcho() {
    loop.step();
    return socket.sent;
  }

  @Benchmark
  public long nettyEcho() {
    if (nettyLoop != null) {
      nettyLoop.runNow();
    }
    return nettyChannel.sent;
  }

  private static final class Echo implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.write(message);
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      context.flush();
    }
  }

  private static final class NettyEcho extends ChannelInboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // void promise
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.write(message, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}
