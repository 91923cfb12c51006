package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.Utf8;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to write a text as UTF-8 into native memory, and to measure it first?
///
/// Another text of about `length` characters in each call, so that the predictor does not learn one
/// by heart. The buffer has room for all of them on both sides.
public class Utf8EncodingBenchmark extends PairedBenchmark {

  private static final int TEXTS = 256;

  @Param public Texts text = Texts.ASCII;

  @Param({"16", "256"})
  public int length;

  private String[] texts = {};
  private int next;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs = ByteBufAllocator.DEFAULT.directBuffer(4096);

  public Utf8EncodingBenchmark() {
    allocator.attach();
    ours = allocator.allocate(4096);
  }

  @Setup
  public void draw() {
    texts = text.draw(TEXTS, length);
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  private String next() {
    next = next + 1 & TEXTS - 1;
    return texts[next];
  }

  @Benchmark
  public Object quickwaterWrite() {
    return ours.clear().writeUtf8(next());
  }

  @Benchmark
  public Object nettyWrite() {
    ByteBufUtil.writeUtf8(theirs.clear(), next());
    return theirs;
  }

  @Benchmark
  public int quickwaterMeasure() {
    return Utf8.size(next());
  }

  @Benchmark
  public int nettyMeasure() {
    return ByteBufUtil.utf8Bytes(next());
  }
}
