package dev.quickwater.microbench.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.http2.OurDecoder;
import dev.quickwater.http2.OurEncoder;
import dev.quickwater.http2.OurMessage;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.NettyDecoder;
import io.netty.handler.codec.http2.NettyEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// What do the header blocks of a short connection cost, from the first one to the last?
///
/// The time is that of all blocks, with a new encoder or decoder. Decoders make the headers of each
/// message from blocks with Huffman codes. Encoders use Huffman codes as `huffman` states: Netty as
/// shipped has none below 512 bytes.
public class HpackStoryBenchmark extends PairedBenchmark {

  private static final int TABLE = 4096;
  private static final int NETTY_THRESHOLD = 512;

  @Param({"BROWSER", "RESPONSES", "GRPC"})
  public Story story = Story.BROWSER;

  @Param({"true", "false"})
  public boolean huffman = true;

  private final LoopAllocator allocator = new LoopAllocator();
  private ByteBuf ourOut = ByteBuf.wrap();
  private io.netty.buffer.ByteBuf nettyOut = Unpooled.EMPTY_BUFFER;
  private OurMessage[] ourMessages = {};
  private Http2Headers[] nettyMessages = {};
  private byte[][] ourBlocks = {};
  private io.netty.buffer.ByteBuf[] nettyBlocks = {};

  @Setup
  public void prepare() {
    allocator.attach();
    ourOut = allocator.allocate(1 << 16);
    nettyOut = ByteBufAllocator.DEFAULT.directBuffer(1 << 16);
    List<List<Map.Entry<String, String>>> blocks = story.blocks();
    ourMessages =
        blocks.stream().map(each -> new OurMessage(each, false)).toArray(OurMessage[]::new);
    nettyMessages = blocks.stream().map(NettyEncoder::headers).toArray(Http2Headers[]::new);
    OurEncoder encoder = new OurEncoder(TABLE, 0);
    List<byte[]> encoded = new ArrayList<>();
    for (OurMessage each : ourMessages) {
      encoder.encode(each, ourOut.clear());
      encoded.add(ourOut.readBytes(ourOut.readableBytes()));
    }
    ourBlocks = encoded.toArray(byte[][]::new);
    nettyBlocks =
        encoded.stream().map(Unpooled::wrappedBuffer).toArray(io.netty.buffer.ByteBuf[]::new);
  }

  @TearDown
  public void release() {
    ourOut.release();
    nettyOut.release();
    allocator.detach();
  }

  private int threshold() {
    return huffman ? 0 : NETTY_THRESHOLD;
  }

  @Benchmark
  public Object quickwaterEncode() {
    OurEncoder encoder = new OurEncoder(TABLE, threshold());
    ourOut.clear();
    for (OurMessage each : ourMessages) {
      encoder.encode(each, ourOut);
    }
    return ourOut;
  }

  @Benchmark
  public Object nettyEncode() throws Exception {
    NettyEncoder encoder = new NettyEncoder(64, threshold(), false);
    nettyOut.clear();
    for (Http2Headers each : nettyMessages) {
      encoder.encode(each, nettyOut);
    }
    return nettyOut;
  }

  @Benchmark
  public void quickwaterDecode(Blackhole hole) throws Exception {
    OurDecoder decoder = new OurDecoder(TABLE);
    for (byte[] each : ourBlocks) {
      hole.consume(decoder.decode(each));
    }
  }

  @Benchmark
  public void nettyDecode(Blackhole hole) throws Exception {
    NettyDecoder decoder = new NettyDecoder();
    for (io.netty.buffer.ByteBuf each : nettyBlocks) {
      hole.consume(decoder.decode(each.readerIndex(0)));
    }
  }
}
