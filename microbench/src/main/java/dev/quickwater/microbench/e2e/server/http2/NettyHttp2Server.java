package dev.quickwater.microbench.e2e.server.http2;

import dev.quickwater.microbench.e2e.server.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// Netty's HTTP/2 server with prior knowledge: one event loop that accepts and serves.
///
/// Allocator, leak level, buffer sizes, limits and windows are Netty's defaults. Header validation
/// is off, which Quickwater never allows itself. Flush consolidation is on with Netty's defaults,
/// so one read leads to one write to the socket.
final class NettyHttp2Server {

  private static final int BACKLOG = 1024;

  private NettyHttp2Server() {}

  /// Arguments: port (0 picks one), transport (`nio`, `epoll`, `io_uring`), shape (`multiplex`,
  /// `connection`).
  public static void main(String[] args) throws InterruptedException {
    NettyTransport transport = NettyTransport.of(args[1]);
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    NettyAnswers answers = new NettyAnswers();
    var _ = group.scheduleAtFixedRate(answers::refreshDate, 1, 1, TimeUnit.SECONDS);
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(transport.channel)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(pipeline(answers, args[2].equals("multiplex")))
            .bind("127.0.0.1", Integer.parseInt(args[0]))
            .sync()
            .channel();
    System.out.println(
        "listening on http://127.0.0.1:"
            + ((InetSocketAddress) server.localAddress()).getPort()
            + " netty "
            + args[2]
            + " transport="
            + transport.label()
            + " loops=1 hasUnsafe="
            + PlatformDependent.hasUnsafe());
    server.closeFuture().sync();
  }

  private static ChannelInitializer<Channel> pipeline(NettyAnswers answers, boolean multiplex) {
    NettyStreamHandler handler = new NettyStreamHandler(answers);
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast(
            new FlushConsolidationHandler(
                FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES, true));
        if (multiplex) {
          pipeline.addLast(
              Http2FrameCodecBuilder.forServer().validateHeaders(false).build(),
              new Http2MultiplexHandler(handler));
        } else {
          pipeline.addLast(NettyConnectionHandler.create(answers));
        }
      }
    };
  }
}
