package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// Is a large block cleared before its user overwrites it?
///
/// A body of `size` bytes is written over the whole block 64 KiB at a time, so that a block whose
/// pages were returned to the system pays for getting them again. `Heap` is memory in arrays, as in
/// [AllocateReleaseBenchmark].
public class UninitializedAllocationBenchmark extends PairedBenchmark {

  @Param({"1048576", "8388608"})
  public int size;

  private final byte[] body = new byte[64 << 10];
  private final LoopAllocator ours = new LoopAllocator();
  private final ByteBufAllocator theirs = ByteBufAllocator.DEFAULT;

  public UninitializedAllocationBenchmark() {
    ours.attach();
  }

  @TearDown
  public void detach() {
    ours.detach();
  }

  private void fill(Blackhole hole) {
    ByteBuf buffer = ours.allocate(size);
    for (int left = size; left > 0; left -= body.length) {
      buffer.writeBytes(body);
    }
    hole.consume(buffer);
    buffer.release();
  }

  private void fill(io.netty.buffer.ByteBuf buffer, Blackhole hole) {
    for (int left = size; left > 0; left -= body.length) {
      buffer.writeBytes(body);
    }
    hole.consume(buffer);
    buffer.release();
  }

  @Benchmark
  public void quickwaterNative(Blackhole hole) {
    fill(hole);
  }

  @Benchmark
  public void nettyNative(Blackhole hole) {
    fill(theirs.directBuffer(size), hole);
  }

  @Benchmark
  public void quickwaterHeap(Blackhole hole) {
    fill(hole);
  }

  @Benchmark
  public void nettyHeap(Blackhole hole) {
    fill(theirs.heapBuffer(size), hole);
  }
}
