package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to read 256 longs at places drawn beforehand, in sixteen buffers?
public class CompositeRandomAccessBenchmark extends PairedBenchmark {

  private final int[] places = Draws.below(256, CompositeSequentialBenchmark.SIZE - Long.BYTES);
  private final LoopAllocator allocator = new LoopAllocator();
  private final CompositeByteBuf ours;
  private final io.netty.buffer.CompositeByteBuf theirs = CompositeSequentialBenchmark.netty();

  public CompositeRandomAccessBenchmark() {
    allocator.attach();
    ours = CompositeSequentialBenchmark.quickwater(allocator);
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  @Benchmark
  public long quickwaterLongs() {
    long sum = 0;
    for (int place : places) {
      sum += ours.getLong(place);
    }
    return sum;
  }

  @Benchmark
  public long nettyLongs() {
    long sum = 0;
    for (int place : places) {
      sum += theirs.getLong(place);
    }
    return sum;
  }
}
