package dev.quickwater.microbench.e2e.server.http2;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;

/// Answers on Netty's stream channels: a head frame and a data frame, flushed when the channel's
/// read is complete.
@Sharable
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write resets the stream, nothing is left to do
final class NettyStreamHandler extends ChannelInboundHandlerAdapter {

  private final NettyAnswers answers;

  NettyStreamHandler(NettyAnswers answers) {
    this.answers = answers;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object msg) {
    if (msg instanceof Http2HeadersFrame request && request.isEndStream()) {
      NettyAnswers.Answer answer = answers.to(request.headers());
      ctx.write(new DefaultHttp2HeadersFrame(answer.head()));
      ctx.write(new DefaultHttp2DataFrame(answer.body(), true));
    }
    ReferenceCountUtil.release(msg);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
