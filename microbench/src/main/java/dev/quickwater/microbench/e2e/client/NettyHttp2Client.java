package dev.quickwater.microbench.e2e.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.flush.FlushConsolidationHandler;

/// Netty's HTTP/2 client with prior knowledge: one event loop on epoll, flush consolidation on,
/// header validation off, which Quickwater never allows itself.
final class NettyHttp2Client {

  private NettyHttp2Client() {}

  /// Arguments: those of [Load], then `multiplex` or `connection`.
  public static void main(String[] args) throws InterruptedException {
    Load load = Load.of(args);
    Meter meter = new Meter(load);
    boolean multiplex = args[args.length - 1].equals("multiplex");
    Bootstrap bootstrap =
        new Bootstrap()
            .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
            .channel(EpollSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new FlushConsolidationHandler(
                                FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
                                true));
                    if (multiplex) {
                      NettyMultiplexCalls.addTo(channel, load, meter);
                    } else {
                      channel.pipeline().addLast(NettyConnectionCalls.create(load, meter));
                    }
                  }
                });
    for (int i = 0; i < load.connections(); i++) {
      bootstrap.connect(load.server()).sync();
    }
    meter.report();
  }

  static Http2Headers request(Load load) {
    return new DefaultHttp2Headers(false)
        .method("GET")
        .scheme("http")
        .authority(load.authority())
        .path(load.path())
        .add("user-agent", Load.USER_AGENT)
        .add("accept", Load.ACCEPT);
  }
}
