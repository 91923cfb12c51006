package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/// What does one more holder of a buffer cost?
///
/// Ours always makes a handle, so `Share` sets it beside Netty's bare `retain`, which makes none,
/// and `Slice` beside `retainedSlice`, which does. `Contended` is `Share` by two threads on the
/// same memory. `delay` is how much the thread works, in tokens of JMH, while it holds the buffer:
/// with much work in between, contention is rare.
public class ReferenceCountBenchmark extends PairedBenchmark {

  private static final int SIZE = 256;

  @Param({"1", "10", "100", "1000", "10000"})
  public int delay;

  /// One memory for all threads.
  @State(Scope.Benchmark)
  public static class Memory {
    final ByteBuf ours = Untracked.allocate(ByteBufAllocator.shared(), SIZE);
    final io.netty.buffer.ByteBuf theirs =
        Untracked.netty(io.netty.buffer.ByteBufAllocator.DEFAULT::directBuffer, SIZE);

    /// A handle is for one thread at a time, so each thread begins with a separate one.
    synchronized ByteBuf handle() {
      return ours.share();
    }

    @TearDown
    public void release() {
      ours.release();
      theirs.release();
    }
  }

  /// What one thread has of the memory.
  @State(Scope.Thread)
  public static class Mine {
    private ByteBuf ours = ByteBuf.wrap();

    @Setup
    public void take(Memory memory) {
      ours = memory.handle();
    }

    @TearDown
    public void release() {
      ours.release();
    }
  }

  private void share(ByteBuf buffer, Blackhole hole) {
    ByteBuf handle = buffer.share();
    hole.consume(handle);
    Blackhole.consumeCPU(delay);
    handle.release();
  }

  private void retain(io.netty.buffer.ByteBuf buffer, Blackhole hole) {
    hole.consume(buffer.retain());
    Blackhole.consumeCPU(delay);
    buffer.release();
  }

  @Benchmark
  public void quickwaterShare(Mine mine, Blackhole hole) {
    share(mine.ours, hole);
  }

  @Benchmark
  public void nettyShare(Memory memory, Blackhole hole) {
    retain(memory.theirs, hole);
  }

  @Benchmark
  @Threads(2)
  public void quickwaterContended(Mine mine, Blackhole hole) {
    share(mine.ours, hole);
  }

  @Benchmark
  @Threads(2)
  public void nettyContended(Memory memory, Blackhole hole) {
    retain(memory.theirs, hole);
  }

  @Benchmark
  public void quickwaterSlice(Mine mine, Blackhole hole) {
    ByteBuf slice = mine.ours.slice(1, SIZE / 2);
    hole.consume(slice);
    Blackhole.consumeCPU(delay);
    slice.release();
  }

  @Benchmark
  public void nettySlice(Memory memory, Blackhole hole) {
    io.netty.buffer.ByteBuf slice = memory.theirs.retainedSlice(1, SIZE / 2);
    hole.consume(slice);
    Blackhole.consumeCPU(delay);
    slice.release();
  }
}
