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
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a header block cost whose twelve fields are all in the dynamic table?
///
/// That is the usual block of a connection after its first messages. `Encode` has the same object
/// each time, as a server has that sends a constant response; `EncodeEqual` has equal fields in two
/// objects in turn.
public class HpackIndexedBenchmark extends PairedBenchmark {

  private static final int TABLE = 4096;

  private static final List<Map.Entry<String, String>> FIELDS =
      IntStream.range(0, 12)
          .mapToObj(i -> Map.entry("x-field-" + i, "the value of field " + i))
          .toList();

  private final LoopAllocator allocator = new LoopAllocator();
  private final OurDecoder ourDecoder = new OurDecoder(TABLE);
  private final NettyDecoder nettyDecoder = new NettyDecoder();
  private final OurEncoder ourEncoder = new OurEncoder(TABLE, 0);
  private final NettyEncoder nettyEncoder = new NettyEncoder(64, 0, false);
  private final OurMessage[] ourMessages = {
    new OurMessage(FIELDS, false), new OurMessage(FIELDS, false)
  };
  private final Http2Headers[] nettyMessages = {
    NettyEncoder.headers(FIELDS), NettyEncoder.headers(FIELDS)
  };
  private ByteBuf ourOut = ByteBuf.wrap();
  private io.netty.buffer.ByteBuf nettyOut = Unpooled.EMPTY_BUFFER;
  private byte[] ourBlock = {};
  private io.netty.buffer.ByteBuf nettyBlock = Unpooled.EMPTY_BUFFER;
  private int turn;

  @Setup
  public void prepare() throws Exception {
    allocator.attach();
    ourOut = allocator.allocate(1 << 12);
    nettyOut = ByteBufAllocator.DEFAULT.directBuffer(1 << 12);
    for (int i = 0; i < 2; i++) {
      ourEncoder.encode(ourMessages[0], ourOut.clear());
      ourBlock = ourOut.readBytes(ourOut.readableBytes());
      nettyBlock = Unpooled.wrappedBuffer(ourBlock);
      ourDecoder.decode(ourBlock);
      nettyDecoder.decode(nettyBlock.duplicate());
      nettyEncoder.encode(nettyMessages[0], nettyOut.clear());
    }
    if (ourBlock.length != FIELDS.size()) {
      throw new IllegalStateException("the block has " + ourBlock.length + " bytes");
    }
  }

  @TearDown
  public void release() {
    ourOut.release();
    nettyOut.release();
    allocator.detach();
  }

  @Benchmark
  public Object quickwaterDecode() throws Exception {
    return ourDecoder.decode(ourBlock);
  }

  @Benchmark
  public Object nettyDecode() throws Exception {
    return nettyDecoder.decode(nettyBlock.readerIndex(0));
  }

  @Benchmark
  public Object quickwaterEncode() {
    ourEncoder.encode(ourMessages[0], ourOut.clear());
    return ourOut;
  }

  @Benchmark
  public Object nettyEncode() throws Exception {
    nettyEncoder.encode(nettyMessages[0], nettyOut.clear());
    return nettyOut;
  }

  @Benchmark
  public Object quickwaterEncodeEqual() {
    turn ^= 1;
    ourEncoder.encode(ourMessages[turn], ourOut.clear());
    return ourOut;
  }

  @Benchmark
  public Object nettyEncodeEqual() throws Exception {
    turn ^= 1;
    nettyEncoder.encode(nettyMessages[turn], nettyOut.clear());
    return nettyOut;
  }
}
