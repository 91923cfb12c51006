package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.system.Memory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// What do the checks of bounds and liveness cost beside access without any?
///
/// The peer is the same memory through the segment of the whole address space, which knows no
/// bounds. `Scattered` reads longs at places that are drawn beforehand, where a check can be
/// neither hoisted out of the loop nor merged with its neighbour's.
public class CheckCostBenchmark extends PairedBenchmark {

  private static final int SIZE = 4096;
  private static final int LENGTH = 256;

  private final int[] places = Draws.below(LENGTH, SIZE - Long.BYTES);
  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf buffer;
  private final long address;

  public CheckCostBenchmark() {
    allocator.attach();
    buffer = allocator.allocate(SIZE).writeBytes(new byte[SIZE]);
    address = buffer.unsafeAddress(0);
  }

  @TearDown
  public void release() {
    buffer.release();
    allocator.detach();
  }

  @Benchmark
  public long quickwaterRead() {
    long sum = 0;
    for (int i = 0; i < LENGTH; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  @Benchmark
  public long uncheckedRead() {
    long sum = 0;
    for (int i = 0; i < LENGTH; i++) {
      sum += Memory.getByte(address, i);
    }
    return sum;
  }

  @Benchmark
  public Object quickwaterWrite() {
    for (int i = 0; i < LENGTH; i++) {
      buffer.setByte(i, i);
    }
    return buffer;
  }

  @Benchmark
  public Object uncheckedWrite() {
    for (int i = 0; i < LENGTH; i++) {
      Memory.putByte(address, i, (byte) i);
    }
    return buffer;
  }

  @Benchmark
  public long quickwaterScattered() {
    long sum = 0;
    for (int place : places) {
      sum += buffer.getLong(place);
    }
    return sum;
  }

  @Benchmark
  public long uncheckedScattered() {
    long sum = 0;
    for (int place : places) {
      sum += Memory.getLong(address, place);
    }
    return sum;
  }
}
