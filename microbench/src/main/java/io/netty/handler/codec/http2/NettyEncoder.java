package io.netty.handler.codec.http2;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Map;

/// Netty's encoder of header blocks, which only this package can reach.
public final class NettyEncoder {

  private final HpackEncoder encoder;
  private final Http2HeadersEncoder.SensitivityDetector sensitivity;

  /// A new connection.
  ///
  /// @param sizeHint of the arrays of the dynamic table
  public NettyEncoder(int sizeHint, int huffmanThreshold, boolean sensitive) {
    encoder = new HpackEncoder(true, sizeHint, huffmanThreshold);
    sensitivity =
        sensitive ? Http2HeadersEncoder.ALWAYS_SENSITIVE : Http2HeadersEncoder.NEVER_SENSITIVE;
  }

  /// The fields of a message as Netty has them.
  public static Http2Headers headers(List<Map.Entry<String, String>> fields) {
    Http2Headers headers = new DefaultHttp2Headers(false, 32);
    for (Map.Entry<String, String> field : fields) {
      headers.add(AsciiString.of(field.getKey()), AsciiString.of(field.getValue()));
    }
    return headers;
  }

  /// Appends a block.
  public void encode(Http2Headers headers, ByteBuf out) throws Http2Exception {
    encoder.encodeHeaders(3, out, headers, sensitivity);
  }

  /// The static index of a field; otherwise that of its name, negative; 0 if there is neither.
  public static int staticIndex(CharSequence name, CharSequence value) {
    int index = HpackStaticTable.getIndexInsensitive(name, value);
    return index > 0 ? index : Math.min(0, -HpackStaticTable.getIndex(name));
  }
}
