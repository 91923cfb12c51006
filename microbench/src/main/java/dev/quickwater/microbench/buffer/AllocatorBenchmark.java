package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// What does native memory cost on a thread that has a separate allocator?
///
/// - `Fixed` allocates 256 bytes and releases them: the best case, a stack of one class.
/// - `Random` replaces one of 1,024 live buffers by one of another size, which defeats both the
///   branch predictor and a cache of the last block. The sizes are drawn beforehand, evenly over
///   the logarithm from 16 bytes to 64 KiB.
/// - `Growing` fills a buffer of 64 bytes with 4 KiB, 64 bytes at a time, copies included.
///
/// Netty's allocator is its default, which a flag of the side chooses; each buffer is touched once,
/// as any user would.
public class AllocatorBenchmark extends PairedBenchmark {

  private static final int FIXED = 256;
  private static final int LIVE = 1 << 10;
  private static final int GROWTH = 64;

  private final int[] sizes = Draws.logarithmic(1 << 14, 16, 64 << 10);
  private final int[] slots = Draws.below(1 << 14, LIVE);
  private final byte[] chunk = new byte[GROWTH];
  private int draw;

  private final LoopAllocator ours = new LoopAllocator();
  private final ByteBufAllocator theirs = ByteBufAllocator.DEFAULT;
  private final ByteBuf[] live = new ByteBuf[LIVE];
  private final io.netty.buffer.ByteBuf[] nettyLive = new io.netty.buffer.ByteBuf[LIVE];

  public AllocatorBenchmark() {
    ours.attach();
  }

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
    ours.detach();
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

  @Benchmark
  public void quickwaterGrowing(Blackhole hole) {
    ByteBuf buffer = ours.allocate(GROWTH);
    for (int i = 0; i < GROWTH; i++) {
      buffer.writeBytes(chunk);
    }
    hole.consume(buffer);
    buffer.release();
  }

  @Benchmark
  public void nettyGrowing(Blackhole hole) {
    io.netty.buffer.ByteBuf buffer = theirs.directBuffer(GROWTH);
    for (int i = 0; i < GROWTH; i++) {
      buffer.writeBytes(chunk);
    }
    hole.consume(buffer);
    buffer.release();
  }
}
