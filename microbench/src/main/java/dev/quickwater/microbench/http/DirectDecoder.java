package dev.quickwater.microbench.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;

/// Netty's decoder of requests without what its base class does around it.
///
/// It is in a pipeline only because the decoder wants a context.
final class DirectDecoder extends HttpRequestDecoder {

  private final EmbeddedChannel channel;
  private final ChannelHandlerContext context;
  private final List<Object> out = new ArrayList<>();

  @SuppressWarnings("ThisEscapedInObjectConstruction") // the channel is this object's own
  DirectDecoder() {
    super(new HttpDecoderConfig().setValidateHeaders(false));
    channel = new EmbeddedChannel(this);
    context = channel.pipeline().firstContext();
  }

  /// Decodes until a call consumes nothing, as the base class does.
  void decodeAll(ByteBuf in, Blackhole hole) throws Exception {
    while (in.isReadable()) {
      int before = in.readerIndex();
      decode(context, in, out);
      for (int i = 0; i < out.size(); i++) {
        hole.consume(out.get(i));
        ReferenceCountUtil.release(out.get(i));
      }
      boolean nothing = out.isEmpty() && before == in.readerIndex();
      out.clear();
      if (nothing) {
        return;
      }
    }
  }

  void close() {
    channel.finishAndReleaseAll();
  }
}
