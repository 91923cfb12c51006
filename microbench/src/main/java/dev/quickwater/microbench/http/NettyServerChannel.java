package dev.quickwater.microbench.http;

import dev.quickwater.microbench.e2e.server.NettyPlaintextHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Netty's HTTP/1.1 server of `qw bench e2e` on a channel whose first handler stands for the
/// transport.
final class NettyServerChannel {

  private final Edge edge = new Edge();
  private final EmbeddedChannel channel;
  private ByteBuf input = Unpooled.EMPTY_BUFFER;

  NettyServerChannel() {
    channel =
        new EmbeddedChannel(
            edge,
            new HttpRequestDecoder(new HttpDecoderConfig().setValidateHeaders(false)),
            new HttpResponseEncoder(),
            new NettyPlaintextHandler());
  }

  /// What every read receives.
  void setInput(byte[] bytes) {
    input.release();
    input = ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  /// Receives the input and answers it.
  ///
  /// @return bytes sent so far
  long read() {
    ChannelHandlerContext context = edge.context();
    context.fireChannelRead(input.retainedDuplicate());
    context.fireChannelReadComplete();
    return edge.sent;
  }

  void close() {
    channel.finishAndReleaseAll();
    input.release();
  }

  private static final class Edge extends ChannelDuplexHandler {
    private @Nullable ChannelHandlerContext context;
    long sent;

    ChannelHandlerContext context() {
      return Objects.requireNonNull(context);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void write(ChannelHandlerContext at, Object message, ChannelPromise promise) {
      ByteBuf payload = (ByteBuf) message;
      sent += payload.readableBytes();
      payload.release();
      promise.trySuccess();
    }

    @Override
    public void flush(ChannelHandlerContext at) {
      // nothing waits: write took it
    }
  }
}
