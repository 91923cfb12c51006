package dev.quickwater.microbench.e2e.server;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Sends the files of a folder below `/files/` in the manner of Netty's own file server example:
/// the file is opened on the event loop and leaves as a file region.
@Sharable
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, nothing is left to do
final class NettyFileHandler extends ChannelInboundHandlerAdapter {

  private static final String PREFIX = "/files/";

  private final Path folder;

  NettyFileHandler(Path folder) {
    this.folder = folder;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object msg) throws IOException {
    if (msg instanceof HttpRequest request && request.uri().startsWith(PREFIX)) {
      send(ctx, request.uri().substring(PREFIX.length()));
      ReferenceCountUtil.release(msg);
    } else {
      ctx.fireChannelRead(msg);
    }
  }

  private void send(ChannelHandlerContext ctx, String name) throws IOException {
    Path file = folder.resolve(name).normalize();
    if (!file.startsWith(folder)) {
      ctx.writeAndFlush(
              new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_FOUND))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.CONTENT_LENGTH, channel.size());
    ctx.write(head, ctx.voidPromise());
    ctx.write(new DefaultFileRegion(channel, 0, channel.size()), ctx.voidPromise());
    ctx.write(LastHttpContent.EMPTY_LAST_CONTENT, ctx.voidPromise());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
