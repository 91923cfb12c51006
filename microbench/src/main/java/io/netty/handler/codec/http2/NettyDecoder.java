package io.netty.handler.codec.http2;

import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.infra.Blackhole;

/// Netty's decoder of header blocks, which only this package can reach.
public final class NettyDecoder {

  private final HpackDecoder decoder = new HpackDecoder(Integer.MAX_VALUE);

  /// Decodes a block without keeping its fields.
  public void consume(ByteBuf block, Blackhole hole) throws Http2Exception {
    decoder.decode(
        3,
        block,
        new DefaultHttp2Headers() {
          @Override
          public Http2Headers add(CharSequence name, CharSequence value) {
            hole.consume(value);
            return this;
          }
        },
        true);
  }

  /// Decodes a block into headers, as `DefaultHttp2HeadersDecoder` does.
  public Http2Headers decode(ByteBuf block) throws Http2Exception {
    Http2Headers headers = new DefaultHttp2Headers(true, 16);
    decoder.decode(3, block, headers, true);
    return headers;
  }
}
