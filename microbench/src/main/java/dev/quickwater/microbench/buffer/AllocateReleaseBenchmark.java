package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// What does a buffer of each size cost on an event loop's thread, from allocation to release?
///
/// The buffer is touched once. `Heap` is memory in arrays: ours is so only in a JVM without native
/// access, which the suite starts for it.
public class AllocateReleaseBenchmark extends PairedBenchmark {

  @Param({"16", "64", "256", "1024", "4096", "16384", "65536"})
  public int size;

  private final LoopAllocator ours = new LoopAllocator();
  private final ByteBufAllocator theirs = ByteBufAllocator.DEFAULT;

  public AllocateReleaseBenchmark() {
    ours.attach();
  }

  @TearDown
  public void detach() {
    ours.detach();
  }

  private static void use(ByteBuf buffer, Blackhole hole) {
    buffer.setByte(0, 1);
    hole.consume(buffer);
    buffer.release();
  }

  private static void use(io.netty.buffer.ByteBuf buffer, Blackhole hole) {
    buffer.setByte(0, 1);
    hole.consume(buffer);
    buffer.release();
  }

  @Benchmark
  public void quickwaterNative(Blackhole hole) {
    use(ours.allocate(size), hole);
  }

  @Benchmark
  public void nettyNative(Blackhole hole) {
    use(theirs.directBuffer(size), hole);
  }

  @Benchmark
  public void quickwaterHeap(Blackhole hole) {
    use(ours.allocate(size), hole);
  }

  @Benchmark
  public void nettyHeap(Blackhole hole) {
    use(theirs.heapBuffer(size), hole);
  }
}
