package dev.quickwater.microbench.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.http2.OurEncoder;
import dev.quickwater.http2.OurMessage;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.NettyEncoder;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to encode the first header block of a connection?
///
/// The fields are random ones of the numbers and lengths of Netty's own benchmark, which also makes
/// an encoder for each block. Netty as shipped has no Huffman code for strings below 512 bytes, so
/// that it copies all of these; `huffman` gives both sides the same threshold.
public class HpackEncoderBenchmark extends PairedBenchmark {

  private static final int TABLE = 4096;
  private static final int NETTY_THRESHOLD = 512;

  @Param({"SMALL", "MEDIUM", "LARGE"})
  public HeaderSet size = HeaderSet.SMALL;

  @Param({"false", "true"})
  public boolean sensitive;

  @Param({"false", "true"})
  public boolean duplicates;

  @Param({"true", "false"})
  public boolean limitToAscii;

  @Param({"false", "true"})
  public boolean huffman;

  private final LoopAllocator allocator = new LoopAllocator();
  private ByteBuf ourOut = ByteBuf.wrap();
  private io.netty.buffer.ByteBuf nettyOut = io.netty.buffer.Unpooled.EMPTY_BUFFER;
  private OurMessage ours = new OurMessage(List.of(), false);
  private Http2Headers theirs = NettyEncoder.headers(List.of());

  @Setup
  public void prepare() {
    allocator.attach();
    ourOut = allocator.allocate(1 << 17);
    nettyOut = ByteBufAllocator.DEFAULT.directBuffer(1 << 17);
    List<Map.Entry<String, String>> fields = size.fields(duplicates, limitToAscii);
    ours = new OurMessage(fields, sensitive);
    theirs = NettyEncoder.headers(fields);
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
    new OurEncoder(TABLE, threshold()).encode(ours, ourOut.clear());
    return ourOut;
  }

  @Benchmark
  public Object nettyEncode() throws Exception {
    new NettyEncoder(16, threshold(), sensitive).encode(theirs, nettyOut.clear());
    return nettyOut;
  }
}
