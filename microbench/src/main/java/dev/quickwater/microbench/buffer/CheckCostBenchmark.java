package dev.quickwater.microbench.buffer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.system.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// What do the checks of bounds and liveness cost beside access without any?
///
/// The peer is the same memory through the segment of the whole address space, which has no bounds.
/// `Scattered` reads longs at places that are drawn beforehand, where a check can be neither
/// hoisted out of the loop nor merged with its neighbour's.
///
/// There is no pair for writes in order: the compiler vectorises our writes, which have bounds. It
/// does not vectorise writes without bounds, which take five times as long.
public class CheckCostBenchmark extends PairedBenchmark {

  private static final int SIZE = 4096;
  private static final int LENGTH = 256;

  private static final MemorySegment ALL = Memory.all();
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int[] places = Draws.below(LENGTH, SIZE - Long.BYTES);
  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf buffer;
  private final long address;

  public CheckCostBenchmark() {
    allocator.attach();
    buffer = allocator.allocate(SIZE).writeBytes(new byte[SIZE]);
    address = UnsafeViews.address(buffer, 0);
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
    long at = address & Memory.ADDRESS_MASK;
    long sum = 0;
    for (int i = 0; i < LENGTH; i++) {
      sum += ALL.get(JAVA_BYTE, at + i);
    }
    return sum;
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
    long at = address & Memory.ADDRESS_MASK;
    long sum = 0;
    for (int place : places) {
      sum += ALL.get(LONG, at + place);
    }
    return sum;
  }
}
