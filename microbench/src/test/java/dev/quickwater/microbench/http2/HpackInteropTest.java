package dev.quickwater.microbench.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http2.OurDecoder;
import dev.quickwater.http2.OurEncoder;
import dev.quickwater.http2.OurMessage;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.NettyDecoder;
import io.netty.handler.codec.http2.NettyEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each side decodes what the other side encodes, over whole connections.
class HpackInteropTest {

  private static final int TABLE = 4096;

  @ParameterizedTest
  @CsvSource({
    "BROWSER, 0",
    "RESPONSES, 0",
    "GRPC, 0",
    "BROWSER, 512",
    "RESPONSES, 512",
    "GRPC, 512"
  })
  void blocksOfOneSideAreDecodedByTheOther(Story story, int threshold) throws Exception {
    OurEncoder ourEncoder = new OurEncoder(TABLE, threshold);
    OurDecoder ourDecoder = new OurDecoder(TABLE);
    NettyEncoder nettyEncoder = new NettyEncoder(64, threshold, false);
    NettyDecoder nettyDecoder = new NettyDecoder();
    List<List<Map.Entry<String, String>>> blocks = new ArrayList<>(story.blocks());
    blocks.addAll(story.blocks());
    for (List<Map.Entry<String, String>> fields : blocks) {
      ByteBuf out = ByteBufAllocator.shared().allocate(4096);
      ourEncoder.encode(new OurMessage(fields, false), out);
      byte[] ours = out.readBytes(out.readableBytes());
      out.release();
      assertEquals(fields, text(nettyDecoder.decode(Unpooled.wrappedBuffer(ours))));

      io.netty.buffer.ByteBuf nettyOut = Unpooled.buffer();
      nettyEncoder.encode(NettyEncoder.headers(fields), nettyOut);
      byte[] theirs = new byte[nettyOut.readableBytes()];
      nettyOut.readBytes(theirs);
      assertEquals(withoutPseudo(fields), text(ourDecoder.decode(theirs)));
    }
  }

  private static List<Map.Entry<String, String>> withoutPseudo(
      List<Map.Entry<String, String>> fields) {
    return fields.stream().filter(field -> !field.getKey().startsWith(":")).toList();
  }

  private static List<Map.Entry<String, String>> text(Http2Headers headers) {
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    headers.forEach(
        field -> fields.add(Map.entry(field.getKey().toString(), field.getValue().toString())));
    return fields;
  }

  private static List<Map.Entry<String, String>> text(HttpHeaders headers) {
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    headers.forEach((name, value) -> fields.add(Map.entry(name.toString(), value)));
    return fields;
  }
}
