package dev.quickwater.microbench.e2e.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/// Netty's `HttpClientCodec` without an aggregator and without a pool: one event loop on epoll,
/// header validation off, which Quickwater never allows itself.
final class NettyHttp1Client extends ChannelInboundHandlerAdapter {

  private final Load load;
  private final Meter meter;
  private int status;
  private long length;

  private NettyHttp1Client(Load load, Meter meter) {
    this.load = load;
    this.meter = meter;
  }

  /// Arguments: those of [Load].
  public static void main(String[] args) throws InterruptedException {
    Load load = Load.of(args);
    Meter meter = new Meter(load);
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
                            new HttpClientCodec(
                                new HttpDecoderConfig().setValidateHeaders(false),
                                HttpClientCodec.DEFAULT_PARSE_HTTP_AFTER_CONNECT_REQUEST,
                                HttpClientCodec.DEFAULT_FAIL_ON_MISSING_RESPONSE),
                            new NettyHttp1Client(load, meter));
                  }
                });
    for (int i = 0; i < load.connections(); i++) {
      bootstrap.connect(load.server()).sync();
    }
    meter.report();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    next(context);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
  private void next(ChannelHandlerContext context) {
    var request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, load.path(), Unpooled.EMPTY_BUFFER);
    request
        .headers()
        .add(HttpHeaderNames.HOST, load.authority())
        .add(HttpHeaderNames.USER_AGENT, Load.USER_AGENT)
        .add(HttpHeaderNames.ACCEPT, Load.ACCEPT);
    context.writeAndFlush(request);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpResponse response) {
      status = response.status().code();
      length = 0;
    }
    if (message instanceof HttpContent content) {
      length += content.content().readableBytes();
    }
    ReferenceCountUtil.release(message);
    if (message instanceof LastHttpContent) {
      meter.response(status, length);
      next(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    meter.fail("a connection ended");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    meter.fail(cause);
  }
}
