package dev.quickwater.microbench.e2e.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/// Requests inside Netty's connection handler, without a channel for each stream: what gRPC's
/// client does, and the cheapest way that Netty's public API has. Starts them when the settings of
/// the server have arrived.
final class NettyConnectionCalls extends Http2ConnectionHandler {

  private final Meter meter;

  private NettyConnectionCalls(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      Meter meter) {
    super(decoder, encoder, settings);
    this.meter = meter;
  }

  static NettyConnectionCalls create(Load load, Meter meter) {
    return new Builder(load, meter).build();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    meter.fail("a connection ended");
  }

  private static final class Builder
      extends AbstractHttp2ConnectionHandlerBuilder<NettyConnectionCalls, Builder> {

    private final Load load;
    private final Meter meter;

    Builder(Load load, Meter meter) {
      this.load = load;
      this.meter = meter;
      DefaultHttp2Connection connection = new DefaultHttp2Connection(false);
      connection
          .remote()
          .flowController(
              new DefaultHttp2RemoteFlowController(
                  connection, new UniformStreamByteDistributor(connection)));
      connection(connection);
      validateHeaders(false);
    }

    @Override
    protected NettyConnectionCalls build() {
      return super.build();
    }

    @Override
    protected NettyConnectionCalls build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      frameListener(new Calls(load, meter, encoder));
      return new NettyConnectionCalls(decoder, encoder, settings, meter);
    }
  }

  /// What has arrived of a response.
  private static final class Response {
    int status;
    long length;
  }

  private static final class Calls extends Http2EventAdapter {

    private final Load load;
    private final Meter meter;
    private final Http2ConnectionEncoder encoder;
    private final Http2Connection.PropertyKey response;

    Calls(Load load, Meter meter, Http2ConnectionEncoder encoder) {
      this.load = load;
      this.meter = meter;
      this.encoder = encoder;
      response = encoder.connection().newKey();
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) {
      for (int i = 0; i < load.streams(); i++) {
        next(context);
      }
      context.flush();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed write resets the stream
    private void next(ChannelHandlerContext context) {
      int streamId = encoder.connection().local().incrementAndGetNextStreamId();
      encoder.writeHeaders(
          context, streamId, NettyHttp2Client.request(load), 0, true, context.newPromise());
      encoder.connection().stream(streamId).setProperty(response, new Response());
    }

    private Response response(int streamId) {
      return encoder.connection().stream(streamId).getProperty(response);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context,
        int streamId,
        Http2Headers headers,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endOfStream) {
      onHeadersRead(context, streamId, headers, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context,
        int streamId,
        Http2Headers headers,
        int padding,
        boolean endOfStream) {
      response(streamId).status = Integer.parseInt(headers.status(), 0, 3, 10);
      if (endOfStream) {
        end(context, streamId);
      }
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext context,
        int streamId,
        ByteBuf data,
        int padding,
        boolean endOfStream) {
      int bytes = data.readableBytes() + padding;
      response(streamId).length += data.readableBytes();
      if (endOfStream) {
        end(context, streamId);
      }
      return bytes;
    }

    private void end(ChannelHandlerContext context, int streamId) {
      meter.response(response(streamId).status, response(streamId).length);
      next(context);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int streamId, long errorCode)
        throws Http2Exception {
      meter.fail("a stream was reset with code " + errorCode);
    }
  }
}
