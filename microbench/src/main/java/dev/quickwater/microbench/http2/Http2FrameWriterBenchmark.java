package dev.quickwater.microbench.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.http2.OurFrames;
import dev.quickwater.http2.OurMessage;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.NettyEncoder;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to write frames?
///
/// - `Headers` is the response of `/plaintext`, whose fields are in the dynamic table.
/// - `Data` is the frame around 13 bytes that are handed over without a copy.
/// - `Control` is an acknowledgement of PING and of SETTINGS, a WINDOW_UPDATE and a RST_STREAM.
///
/// Our writer appends to the output of the connection. Netty's makes a buffer and a promise for
/// each frame and writes both to its channel, where the first handler releases it.
public class Http2FrameWriterBenchmark extends PairedBenchmark {

  private static final List<Map.Entry<String, String>> RESPONSE =
      List.of(
          Map.entry(":status", "200"),
          Map.entry("server", "quickwater"),
          Map.entry("date", "Sun, 22 Nov 2026 10:15:30 GMT"),
          Map.entry("content-type", "text/plain"),
          Map.entry("content-length", "13"));

  private final LoopAllocator allocator = new LoopAllocator();
  private final OurFrames ourFrames = new OurFrames();
  private final OurMessage ourResponse = new OurMessage(RESPONSE, false);
  private final NettyFrames nettyFrames = new NettyFrames();
  private final Http2Headers nettyResponse = NettyEncoder.headers(RESPONSE);
  private ByteBuf out = ByteBuf.wrap();
  private ByteBuf ourData = ByteBuf.wrap();
  private io.netty.buffer.ByteBuf nettyData = Unpooled.EMPTY_BUFFER;
  private int stream = 1;

  @Setup
  public void prepare() {
    allocator.attach();
    out = allocator.allocate(1 << 12);
    ourData = allocator.allocate(13).writeAscii("Hello, World!");
    nettyData = ByteBufAllocator.DEFAULT.directBuffer(13).writeBytes(new byte[13]);
  }

  @TearDown
  public void release() {
    out.release();
    ourData.release();
    nettyData.release();
    nettyFrames.close();
    allocator.detach();
  }

  private int next() {
    stream = stream + 2 & Integer.MAX_VALUE;
    return stream;
  }

  @Benchmark
  public Object quickwaterHeaders() {
    ourFrames.headers(out.clear(), next(), ourResponse);
    return out;
  }

  @Benchmark
  public long nettyHeaders() {
    return nettyFrames.headers(next(), nettyResponse);
  }

  @Benchmark
  public int quickwaterData() {
    ByteBuf data = ourData.share();
    ourFrames.data(out.clear(), next(), data.readableBytes());
    int sent = out.readableBytes() + data.readableBytes();
    data.release();
    return sent;
  }

  @Benchmark
  public long nettyData() {
    return nettyFrames.data(next(), nettyData.retain());
  }

  @Benchmark
  public Object quickwaterControl() {
    ourFrames.control(out.clear(), next());
    return out;
  }

  @Benchmark
  public long nettyControl() {
    return nettyFrames.control(next());
  }
}
