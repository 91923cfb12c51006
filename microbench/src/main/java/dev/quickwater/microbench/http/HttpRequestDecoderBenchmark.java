package dev.quickwater.microbench.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.http1.Http1Exception;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http1.RequestParser;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// What does it cost to turn the bytes of requests into objects?
///
/// Our parser compares a head with the previous one of its connection, so `heads` is how they
/// differ: equal ones, other targets, other targets and fields.
///
/// Both decoders are called directly, without a pipeline, on the same native bytes. `Whole` has all
/// bytes there at once; for `Fragmented` 16 more are there at each call. The time is that of all
/// `requests` together. Netty does not validate header fields here, Quickwater always does; Netty
/// has copied every field to a separate text at the end, Quickwater makes texts on request, see
/// [HeadersBenchmark].
public class HttpRequestDecoderBenchmark extends PairedBenchmark {

  private static final int FRAGMENT = 16;

  @Param({"SIMPLE", "BROWSER"})
  public Samples sample = Samples.SIMPLE;

  @Param({"EQUAL", "TARGET", "FIELDS"})
  public Repetition heads = Repetition.EQUAL;

  @Param("16")
  public int requests;

  private final LoopAllocator allocator = new LoopAllocator();
  private final RequestParser parser = new RequestParser(Http1Settings.DEFAULT);
  private final DirectDecoder decoder = new DirectDecoder();
  private ByteBuf ours = ByteBuf.wrap();
  private io.netty.buffer.ByteBuf theirs = io.netty.buffer.Unpooled.EMPTY_BUFFER;
  private int length;

  @Setup
  public void write() {
    allocator.attach();
    byte[] bytes = sample.bytes(requests, heads);
    length = bytes.length;
    ours = allocator.allocate(length).writeBytes(bytes);
    theirs = ByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(bytes);
  }

  @TearDown
  public void release() {
    decoder.close();
    ours.release();
    theirs.release();
    allocator.detach();
  }

  @Benchmark
  public void quickwaterWhole(Blackhole hole) throws Http1Exception {
    parseAll(ours.readerIndex(0), hole);
  }

  @Benchmark
  public void nettyWhole(Blackhole hole) throws Exception {
    decoder.decodeAll(theirs.readerIndex(0), hole);
  }

  @Benchmark
  public void quickwaterFragmented(Blackhole hole) throws Http1Exception {
    ByteBuf in = ours.clear();
    for (int end = FRAGMENT; end < length; end += FRAGMENT) {
      parseAll(in.writerIndex(end), hole);
    }
    parseAll(in.writerIndex(length), hole);
  }

  @Benchmark
  public void nettyFragmented(Blackhole hole) throws Exception {
    io.netty.buffer.ByteBuf in = theirs.clear();
    for (int end = FRAGMENT; end < length; end += FRAGMENT) {
      decoder.decodeAll(in.writerIndex(end), hole);
    }
    decoder.decodeAll(in.writerIndex(length), hole);
  }

  private void parseAll(ByteBuf in, Blackhole hole) throws Http1Exception {
    while (in.isReadable() && parser.parse(in) == RequestParser.Result.HEAD) {
      hole.consume(parser.request());
      parser.next();
    }
  }
}
