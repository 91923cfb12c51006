package dev.quickwater.microbench.e2e.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.ReadOnlyHttpHeaders;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/// Answers `/plaintext` the way that is fastest in Netty without leaving its public API.
///
/// The head fields are one read-only block that the loop renews once a second, so that a request
/// builds no header map; the content is an unreleasable buffer, which the encoder copies behind the
/// head because it is small; writes carry the void promise and leave in one flush at the end of the
/// read. All three are chosen by measurement.
@Sharable
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, nothing is left to do
public final class NettyPlaintextHandler extends ChannelInboundHandlerAdapter {

  private static final AsciiString SERVER = AsciiString.cached(Plaintext.SERVER);
  private static final AsciiString LENGTH =
      AsciiString.cached(String.valueOf(Plaintext.BODY.length()));
  private static final ByteBuf BODY =
      Unpooled.unreleasableBuffer(
          Unpooled.directBuffer(Plaintext.BODY.length())
              .writeBytes(Plaintext.BODY.getBytes(StandardCharsets.US_ASCII))
              .asReadOnly());

  private HttpHeaders headers = headers();

  /// Called by the loop once a second.
  void refreshDate() {
    headers = headers();
  }

  private static HttpHeaders headers() {
    return new ReadOnlyHttpHeaders(
        false,
        HttpHeaderNames.CONTENT_TYPE,
        HttpHeaderValues.TEXT_PLAIN,
        HttpHeaderNames.CONTENT_LENGTH,
        LENGTH,
        HttpHeaderNames.SERVER,
        SERVER,
        HttpHeaderNames.DATE,
        new AsciiString(Plaintext.date()));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object msg) {
    if (msg instanceof HttpRequest request) {
      answer(ctx, request);
    }
    ReferenceCountUtil.release(msg);
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest request) {
    FullHttpResponse response =
        Plaintext.PATH.equals(request.uri())
            ? new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.OK,
                BODY.duplicate(),
                headers,
                EmptyHttpHeaders.INSTANCE)
            : notFound();
    if (HttpUtil.isKeepAlive(request)) {
      ctx.write(response, ctx.voidPromise());
    } else {
      ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static FullHttpResponse notFound() {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_FOUND);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
    return response;
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
