package dev.quickwater.microbench.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.FieldSpan;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a proxy pay to send the fields of a browser as HTTP/1.1? `Parsed` are those that a
/// parser made, `Built` those of a builder; `Once` writes each block one time, the others write the
/// same block again and again, as a connection does whose peer repeats its fields.
public class ForwardHeadersBenchmark extends PairedBenchmark {

  private final LoopAllocator allocator = new LoopAllocator();
  private byte[] block = {};
  private long[] spans = {};
  private HeaderField[] fields = {};
  private HttpHeaders parsed = HttpHeaders.EMPTY;
  private HttpHeaders built = HttpHeaders.EMPTY;
  private ByteBuf out = ByteBuf.wrap();

  @Setup
  public void parse() {
    allocator.attach();
    out = allocator.allocate(2048);
    block = Samples.BROWSER.bytes(1);
    spans = spans(block);
    parsed = newParsed();
    built = parsed.toBuilder().build();
    built.forEach((name, value) -> theirs.add(name.toString(), value));
    fields =
        IntStream.range(0, built.size())
            .mapToObj(i -> built.field(EngineAccess.GRANTED, i))
            .toArray(HeaderField[]::new);
  }

  /// The fields of a head without Host and Connection.
  private static long[] spans(byte[] block) {
    String text = new String(block, StandardCharsets.US_ASCII);
    long[] spans = new long[16];
    int count = 0;
    int at = text.indexOf("\r\n") + 2;
    while (text.charAt(at) != '\r') {
      int colon = text.indexOf(':', at);
      int end = text.indexOf("\r\n", at);
      String name = text.substring(at, colon);
      if (!name.equals("Host") && !name.equals("Connection")) {
        spans[count++] = FieldSpan.of(at, colon - at, colon + 2, end - colon - 2);
      }
      at = end + 2;
    }
    return Arrays.copyOf(spans, count);
  }

  private HttpHeaders newParsed() {
    return HttpHeaders.parsed(EngineAccess.GRANTED, block, spans);
  }

  @TearDown
  public void release() {
    out.release();
    theirOut.release();
    allocator.detach();
  }

  private ByteBuf write(HttpHeaders headers) {
    headers.writeTo(EngineAccess.GRANTED, out.clear());
    return out;
  }

  /// Gives access to the peer's encoder of fields.
  private static final class FieldEncoder extends HttpResponseEncoder {
    io.netty.buffer.ByteBuf write(
        io.netty.handler.codec.http.HttpHeaders headers, io.netty.buffer.ByteBuf out) {
      encodeHeaders(headers, out.clear());
      return out;
    }
  }

  private final FieldEncoder encoder = new FieldEncoder();
  private final io.netty.buffer.ByteBuf theirOut = Unpooled.directBuffer(2048);
  private final io.netty.handler.codec.http.HttpHeaders theirs = new DefaultHttpHeaders();

  private io.netty.buffer.ByteBuf netty(io.netty.handler.codec.http.HttpHeaders headers) {
    return encoder.write(headers, theirOut);
  }

  /// Netty has one form of fields.
  private io.netty.handler.codec.http.HttpHeaders copy() {
    return new DefaultHttpHeaders().add(theirs);
  }

  @Benchmark
  public io.netty.buffer.ByteBuf nettyParsed() {
    return netty(theirs);
  }

  @Benchmark
  public io.netty.buffer.ByteBuf nettyBuilt() {
    return netty(theirs);
  }

  @Benchmark
  public io.netty.buffer.ByteBuf nettyParsedOnce() {
    return netty(copy());
  }

  @Benchmark
  public io.netty.buffer.ByteBuf nettyBuiltOnce() {
    return netty(copy());
  }

  @Benchmark
  public ByteBuf quickwaterParsed() {
    return write(parsed);
  }

  @Benchmark
  public ByteBuf quickwaterBuilt() {
    return write(built);
  }

  @Benchmark
  public ByteBuf quickwaterParsedOnce() {
    return write(newParsed());
  }

  @Benchmark
  public ByteBuf quickwaterBuiltOnce() {
    return write(HttpHeaders.ofFields(EngineAccess.GRANTED, fields));
  }
}
