package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/// Does a slice of a slice cost more than the memory under it?
///
/// `Make` takes three owned slices of one another and releases them, as a decoder does that hands
/// on a frame of a frame; `Read` sums 256 bytes through the innermost, with `polluted` in turn with
/// buffers of other kinds, as in [ByteBufAccessBenchmark].
public class SlicedByteBufBenchmark extends PairedBenchmark {

  private static final int SIZE = AccessLoops.SIZE;
  private static final int KINDS = 4;

  @Param({"false", "true"})
  public boolean polluted;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final ByteBuf ourSlice;
  private final io.netty.buffer.ByteBuf theirs =
      Untracked.netty(ByteBufAllocator.DEFAULT::directBuffer, SIZE + 8);
  private final io.netty.buffer.ByteBuf theirSlice;
  private final ByteBuf[] ourKinds = new ByteBuf[KINDS];
  private final io.netty.buffer.ByteBuf[] theirKinds = new io.netty.buffer.ByteBuf[KINDS];
  private int turn;

  public SlicedByteBufBenchmark() {
    allocator.attach();
    ours = Untracked.allocate(allocator, SIZE + 8);
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

  @Setup
  public void choose() {
    Arrays.fill(ourKinds, ourSlice);
    Arrays.fill(theirKinds, theirSlice);
    if (polluted) {
      ourKinds[1] = ByteBuf.wrap(new byte[SIZE]);
      ourKinds[3] = ours;
      theirKinds[1] = Unpooled.wrappedBuffer(new byte[SIZE]);
      theirKinds[2] = theirs;
      theirKinds[3] = Unpooled.wrappedBuffer(new byte[SIZE / 2], new byte[SIZE / 2]);
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
    turn = turn + 1 & KINDS - 1;
    return AccessLoops.getBytes(ourKinds[turn]);
  }

  @Benchmark
  public long nettyRead() {
    turn = turn + 1 & KINDS - 1;
    return AccessLoops.getBytes(theirKinds[turn]);
  }
}
