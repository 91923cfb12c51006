package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// Does a slice of a slice cost more than the memory under it?
///
/// `Make` takes three owned slices of one another and releases them, as a decoder does that hands
/// on a frame of a frame; `Read` sums 256 bytes through the innermost.
public class SlicedByteBufBenchmark extends PairedBenchmark {

  private static final int SIZE = 256;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final ByteBuf ourSlice;
  private final io.netty.buffer.ByteBuf theirs = ByteBufAllocator.DEFAULT.directBuffer(SIZE + 8);
  private final io.netty.buffer.ByteBuf theirSlice;

  public SlicedByteBufBenchmark() {
    allocator.attach();
    ours = Untracked.allocate(allocator, SIZE + 8);
    theirs.writeBytes(new byte[SIZE + 8]);
    try (var outer = new Held(ours.slice(2, SIZE + 4));
        var inner = new Held(outer.buffer.slice(1, SIZE + 2))) {
      ourSlice = inner.buffer.slice(1, SIZE);
    }
    theirSlice = theirs.slice(2, SIZE + 4).slice(1, SIZE + 2).slice(1, SIZE);
  }

  private record Held(ByteBuf buffer) implements AutoCloseable {
    @Override
    public void close() {
      buffer.release();
    }
  }

  @TearDown
  public void release() {
    ourSlice.release();
    ours.release();
    theirs.release();
    allocator.detach();
  }

  @Benchmark
  public void quickwaterMake(Blackhole hole) {
    ByteBuf outer = ours.slice(2, SIZE + 4);
    ByteBuf middle = outer.slice(1, SIZE + 2);
    ByteBuf inner = middle.slice(1, SIZE);
    hole.consume(inner);
    outer.release();
    middle.release();
    inner.release();
  }

  @Benchmark
  public void nettyMake(Blackhole hole) {
    io.netty.buffer.ByteBuf outer = theirs.retainedSlice(2, SIZE + 4);
    io.netty.buffer.ByteBuf middle = outer.retainedSlice(1, SIZE + 2);
    io.netty.buffer.ByteBuf inner = middle.retainedSlice(1, SIZE);
    hole.consume(inner);
    outer.release();
    middle.release();
    inner.release();
  }

  @Benchmark
  public long quickwaterRead() {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += ourSlice.getByte(i);
    }
    return sum;
  }

  @Benchmark
  public long nettyRead() {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += theirSlice.getByte(i);
    }
    return sum;
  }
}
