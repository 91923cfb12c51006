package dev.quickwater.microbench.e2e.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;

/// Requests on stream channels of Netty's multiplex handler: what most users have. Starts them when
/// the settings of the server have arrived.
final class NettyMultiplexCalls extends ChannelInboundHandlerAdapter {

  private final Load load;
  private final Meter meter;

  private NettyMultiplexCalls(Load load, Meter meter) {
    this.load = load;
    this.meter = meter;
  }

  static void addTo(Channel channel, Load load, Meter meter) {
    channel
        .pipeline()
        .addLast(
            Http2FrameCodecBuilder.forClient().validateHeaders(false).build(),
            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()),
            new NettyMultiplexCalls(load, meter));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
    if (message instanceof Http2SettingsFrame) {
      var streams = new Http2StreamChannelBootstrap(context.channel());
      for (int i = 0; i < load.streams(); i++) {
        next(streams);
      }
    }
  }

  private void next(Http2StreamChannelBootstrap streams) {
    streams
        .handler(new Call(streams))
        .open()
        .addListener(future -> {
          if (!future.isSuccess()) {
            meter.fail(future.cause());
          }
        });
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    meter.fail("a connection ended");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    meter.fail(cause);
  }

  private final class Call extends ChannelInboundHandlerAdapter {
    private final Http2StreamChannelBootstrap streams;
    private int status;
    private long length;

    Call(Http2StreamChannelBootstrap streams) {
      this.streams = streams;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write resets the stream
    public void channelActive(ChannelHandlerContext context) {
      context.writeAndFlush(new DefaultHttp2HeadersFrame(NettyHttp2Client.request(load), true));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      boolean end = false;
      if (message instanceof Http2HeadersFrame head) {
        status = Integer.parseInt(head.headers().status(), 0, 3, 10);
        end = head.isEndStream();
      } else if (message instanceof Http2DataFrame data) {
        length += data.content().readableBytes();
        end = data.isEndStream();
      }
      ReferenceCountUtil.release(message);
      if (end) {
        meter.response(status, length);
        next(streams);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      meter.fail(cause);
    }
  }
}
