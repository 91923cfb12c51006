package dev.quickwater.microbench.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;

/// Netty's writer of frames on a channel whose first handler stands for the transport.
@SuppressWarnings("FutureReturnValueIgnored") // the first handler completes each one at once
final class NettyFrames {

  private static final class Edge extends ChannelDuplexHandler {
    long sent;

    @Override
    public void write(ChannelHandlerContext at, Object message, ChannelPromise promise) {
      ByteBuf payload = (ByteBuf) message;
      sent += payload.readableBytes();
      payload.release();
      promise.trySuccess();
    }
  }

  private final Edge edge = new Edge();
  private final EmbeddedChannel channel = new EmbeddedChannel(edge, new ChannelHandlerAdapter() {});
  private final ChannelHandlerContext context = channel.pipeline().lastContext();
  private final DefaultHttp2FrameWriter writer = new DefaultHttp2FrameWriter();

  long headers(int stream, Http2Headers headers) {
    writer.writeHeaders(context, stream, headers, 0, false, context.newPromise());
    return edge.sent;
  }

  long data(int stream, ByteBuf data) {
    writer.writeData(context, stream, data, 0, true, context.newPromise());
    return edge.sent;
  }

  long control(int stream) {
    writer.writePing(context, true, stream, context.newPromise());
    writer.writeSettingsAck(context, context.newPromise());
    writer.writeWindowUpdate(context, stream, 1 << 15, context.newPromise());
    writer.writeRstStream(context, stream, Http2Error.CANCEL.code(), context.newPromise());
    return edge.sent;
  }

  void close() {
    writer.close();
    channel.finishAndReleaseAll();
  }
}
