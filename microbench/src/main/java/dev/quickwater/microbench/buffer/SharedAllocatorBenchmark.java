package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// What does native memory cost on a thread that is no event loop?
///
/// Run it on platform threads of the JDK and on virtual ones; the suite does. `Fixed` allocates and
/// releases at once, `Random` replaces one of 256 live buffers by one of another size, from 16
/// bytes to 4 KiB.
public class SharedAllocatorBenchmark extends PairedBenchmark {

  private static final int LIVE = 256;
  private static final int FIXED = 256;

  private final int[] sizes = Draws.logarithmic(1 << 14, 16, 4096);
  private final int[] slots = Draws.below(1 << 14, LIVE);
  private int draw;

  private final ByteBufAllocator ours = ByteBufAllocator.shared();
  private final io.netty.buffer.ByteBufAllocator theirs = io.netty.buffer.ByteBufAllocator.DEFAULT;
  private final ByteBuf[] live = new ByteBuf[LIVE];
  private final io.netty.buffer.ByteBuf[] nettyLive = new io.netty.buffer.ByteBuf[LIVE];

  @TearDown
  public void releaseAll() {
    for (int i = 0; i < LIVE; i++) {
      if (live[i] != null) {
        live[i].release();
      }
      if (nettyLive[i] != null) {
        nettyLive[i].release();
      }
    }
  }

  private int next() {
    draw = draw + 1 & sizes.length - 1;
    return draw;
  }

  @Benchmark
  public void quickwaterFixed(Blackhole hole) {
    ByteBuf buffer = ours.allocate(FIXED).setByte(0, 1);
    hole.consume(buffer);
    buffer.release();
  }

  @Benchmark
  public void nettyFixed(Blackhole hole) {
    io.netty.buffer.ByteBuf buffer = theirs.directBuffer(FIXED).setByte(0, 1);
    hole.consume(buffer);
    buffer.release();
  }

  @Benchmark
  public void quickwaterRandom() {
    int n = next();
    int slot = slots[n];
    if (live[slot] != null) {
      live[slot].release();
    }
    live[slot] = ours.allocate(sizes[n]).setByte(0, 1);
  }

  @Benchmark
  public void nettyRandom() {
    int n = next();
    int slot = slots[n];
    if (nettyLive[slot] != null) {
      nettyLive[slot].release();
    }
    nettyLive[slot] = theirs.directBuffer(sizes[n]).setByte(0, 1);
  }
}
