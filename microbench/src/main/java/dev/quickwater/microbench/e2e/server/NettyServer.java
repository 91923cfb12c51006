package dev.quickwater.microbench.e2e.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Netty's counterpart of `qw serve`: one event loop that accepts and serves.
///
/// Allocator, leak level, receive buffer sizes and thresholds are Netty's defaults. Header
/// validation is off, which Quickwater never allows itself.
final class NettyServer {

  private static final int BACKLOG = 1024;

  private NettyServer() {}

  /// Arguments: port (0 picks one), transport (`nio`, `epoll`, `io_uring`), and optionally a folder
  /// whose files are served below `/files/`.
  public static void main(String[] args) throws InterruptedException {
    int port = Integer.parseInt(args[0]);
    NettyTransport transport = NettyTransport.of(args[1]);
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    NettyPlaintextHandler handler = new NettyPlaintextHandler();
    var _ = group.scheduleAtFixedRate(handler::refreshDate, 1, 1, TimeUnit.SECONDS);
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(transport.channel)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(pipeline(handler, files(args)))
            .bind("127.0.0.1", port)
            .sync()
            .channel();
    System.out.println(
        "listening on http://127.0.0.1:"
            + ((InetSocketAddress) server.localAddress()).getPort()
            + " netty transport="
            + transport.label()
            + " loops=1 hasUnsafe="
            + PlatformDependent.hasUnsafe());
    server.closeFuture().sync();
  }

  private static Optional<NettyFileHandler> files(String[] args) {
    return args.length > 2 ? Optional.of(new NettyFileHandler(Path.of(args[2]))) : Optional.empty();
  }

  private static ChannelInitializer<Channel> pipeline(
      NettyPlaintextHandler handler, Optional<NettyFileHandler> files) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        HttpDecoderConfig config = new HttpDecoderConfig().setValidateHeaders(false);
        channel.pipeline().addLast(new HttpRequestDecoder(config), new HttpResponseEncoder());
        files.ifPresent(channel.pipeline()::addLast);
        channel.pipeline().addLast(handler);
      }
    };
  }
}
