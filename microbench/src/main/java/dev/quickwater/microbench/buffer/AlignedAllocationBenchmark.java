package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.PooledByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// What does a buffer cost that begins at a cache line?
///
/// Of Netty's allocators only the pooled one can align, and only where `Unsafe` is allowed.
public class AlignedAllocationBenchmark extends PairedBenchmark {

  @Param({"100", "1024"})
  public int size;

  private final LoopAllocator ours = new LoopAllocator();

  /// Made on first use, since without `Unsafe` it cannot be made at all.
  private static final class Theirs {
    static final PooledByteBufAllocator IT =
        new PooledByteBufAllocator(
            true,
            PooledByteBufAllocator.defaultNumHeapArena(),
            PooledByteBufAllocator.defaultNumDirectArena(),
            PooledByteBufAllocator.defaultPageSize(),
            PooledByteBufAllocator.defaultMaxOrder(),
            PooledByteBufAllocator.defaultSmallCacheSize(),
            PooledByteBufAllocator.defaultNormalCacheSize(),
            true,
            ByteBufAllocator.ALIGNMENT);
  }

  public AlignedAllocationBenchmark() {
    ours.attach();
  }

  @TearDown
  public void detach() {
    ours.detach();
  }

  @Benchmark
  public void quickwaterUse(Blackhole hole) {
    ByteBuf buffer = ours.allocateAligned(size, size).setByte(0, 1);
    hole.consume(buffer);
    buffer.release();
  }

  @Benchmark
  public void nettyUse(Blackhole hole) {
    io.netty.buffer.ByteBuf buffer = Theirs.IT.directBuffer(size, size).setByte(0, 1);
    hole.consume(buffer);
    buffer.release();
  }
}
