package dev.quickwater.microbench.e2e.server.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/// Answers inside Netty's connection handler, without a channel for each stream: what gRPC's server
/// does, and the cheapest way that Netty's public API has.
///
/// The handler flushes at the end of each read. The uniform distributor is the cheaper of Netty's
/// two.
final class NettyConnectionHandler extends Http2ConnectionHandler {

  private NettyConnectionHandler(
      Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
    super(decoder, encoder, settings);
  }

  static NettyConnectionHandler create(NettyAnswers answers) {
    return new Builder(answers).build();
  }

  private static final class Builder
      extends AbstractHttp2ConnectionHandlerBuilder<NettyConnectionHandler, Builder> {

    private final NettyAnswers answers;

    Builder(NettyAnswers answers) {
      this.answers = answers;
      DefaultHttp2Connection connection = new DefaultHttp2Connection(true);
      connection
          .remote()
          .flowController(
              new DefaultHttp2RemoteFlowController(
                  connection, new UniformStreamByteDistributor(connection)));
      connection(connection);
      validateHeaders(false);
    }

    @Override
    protected NettyConnectionHandler build() {
      return super.build();
    }

    @Override
    protected NettyConnectionHandler build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      frameListener(new Requests(answers, encoder));
      return new NettyConnectionHandler(decoder, encoder, settings);
    }
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // a failed write resets the stream, nothing is left to do
  private static final class Requests extends Http2EventAdapter {

    private final NettyAnswers answers;
    private final Http2ConnectionEncoder encoder;

    Requests(NettyAnswers answers, Http2ConnectionEncoder encoder) {
      this.answers = answers;
      this.encoder = encoder;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endOfStream) {
      onHeadersRead(ctx, streamId, headers, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endOfStream) {
      if (endOfStream) {
        NettyAnswers.Answer answer = answers.to(headers);
        encoder.writeHeaders(ctx, streamId, answer.head(), 0, false, ctx.newPromise());
        encoder.writeData(ctx, streamId, answer.body(), 0, true, ctx.newPromise());
      }
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
      return data.readableBytes() + padding;
    }
  }
}
