package dev.quickwater.microbench.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http2.OurDecoder;
import dev.quickwater.http2.OurEncoder;
import dev.quickwater.http2.OurMessage;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.NettyDecoder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/// What does it cost to decode the first header block of a connection?
///
/// The fields are those of [HpackEncoderBenchmark], encoded once. Both sides validate them, as both
/// do as shipped, and drop them; [HpackStoryBenchmark] keeps them.
public class HpackDecoderBenchmark extends PairedBenchmark {

  private static final int TABLE = 4096;

  @Param({"SMALL", "MEDIUM", "LARGE"})
  public HeaderSet size = HeaderSet.SMALL;

  @Param({"false", "true"})
  public boolean sensitive;

  @Param({"true", "false"})
  public boolean limitToAscii;

  @Param({"false", "true"})
  public boolean huffman;

  private byte[] ours = {};
  private io.netty.buffer.ByteBuf theirs = Unpooled.EMPTY_BUFFER;

  @Setup
  public void encode() {
    ByteBuf out = ByteBufAllocator.shared().allocate(1 << 17);
    new OurEncoder(TABLE, huffman ? 0 : Integer.MAX_VALUE)
        .encode(new OurMessage(size.fields(false, limitToAscii), sensitive), out);
    ours = out.readBytes(out.readableBytes());
    theirs = Unpooled.wrappedBuffer(ours);
    out.release();
  }

  @Benchmark
  public void quickwaterDecode(Blackhole hole) throws Exception {
    new OurDecoder(TABLE).consume(ours, hole);
  }

  @Benchmark
  public void nettyDecode(Blackhole hole) throws Exception {
    new NettyDecoder().consume(theirs.duplicate(), hole);
  }
}
