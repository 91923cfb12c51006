package dev.quickwater.microbench.buffer;

import static dev.quickwater.microbench.buffer.AccessLoops.SIZE;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to write and to read 256 bytes of native memory?
///
/// `Read` and `Write` move an index, `Get` is told one, `Random` reads longs at places that are
/// drawn beforehand, where a check can be neither hoisted nor merged with its neighbour's.
///
/// In a server the same call site meets buffers of every kind. With `polluted` the loops have seen
/// native and heap buffers, slices and (Netty's) composites before they are measured on one kind,
/// so that the compiler can no longer count on it.
public class ByteBufAccessBenchmark extends PairedBenchmark {

  private static final int POLLUTION = 10_000;

  @Param({"false", "true"})
  public boolean polluted;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs;

  public ByteBufAccessBenchmark() {
    allocator.attach();
    ours = Untracked.allocate(allocator, SIZE);
    theirs = Untracked.netty(ByteBufAllocator.DEFAULT::directBuffer, SIZE);
  }

  /// On arrays.
  ByteBufAccessBenchmark(byte[] array) {
    allocator.attach();
    ours = ByteBuf.wrap(array);
    theirs = Untracked.netty(ByteBufAllocator.DEFAULT::heapBuffer, array.length);
  }

  @Setup
  public void pollute() {
    if (!polluted) {
      return;
    }
    ByteBuf ourNative = Untracked.allocate(allocator, SIZE);
    ByteBuf slice = ourNative.slice(0, SIZE);
    List<ByteBuf> kinds = List.of(ourNative, ByteBuf.wrap(new byte[SIZE]), slice, ours);
    var direct = Untracked.netty(ByteBufAllocator.DEFAULT::directBuffer, SIZE);
    var heap = Untracked.netty(ByteBufAllocator.DEFAULT::heapBuffer, SIZE);
    List<io.netty.buffer.ByteBuf> nettyKinds =
        List.of(
            direct,
            heap,
            direct.slice(0, SIZE),
            Unpooled.wrappedBuffer(new byte[SIZE / 2], new byte[SIZE / 2]),
            theirs);
    long sum = 0;
    for (int i = 0; i < POLLUTION; i++) {
      sum += AccessLoops.all(kinds.get(i % kinds.size()));
      sum += AccessLoops.all(nettyKinds.get(i % nettyKinds.size()));
    }
    slice.release();
    ourNative.release();
    direct.release();
    heap.release();
    if (sum == 0) {
      throw new IllegalStateException("what was written cannot be read");
    }
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  @Benchmark
  public Object quickwaterWriteBytes() {
    return AccessLoops.writeBytes(ours.clear());
  }

  @Benchmark
  public Object nettyWriteBytes() {
    return AccessLoops.writeBytes(theirs.clear());
  }

  @Benchmark
  public long quickwaterReadBytes() {
    return AccessLoops.readBytes(ours.readerIndex(0));
  }

  @Benchmark
  public long nettyReadBytes() {
    return AccessLoops.readBytes(theirs.readerIndex(0));
  }

  @Benchmark
  public Object quickwaterWriteInts() {
    return AccessLoops.writeInts(ours.clear());
  }

  @Benchmark
  public Object nettyWriteInts() {
    return AccessLoops.writeInts(theirs.clear());
  }

  @Benchmark
  public long quickwaterReadInts() {
    return AccessLoops.readInts(ours.readerIndex(0));
  }

  @Benchmark
  public long nettyReadInts() {
    return AccessLoops.readInts(theirs.readerIndex(0));
  }

  @Benchmark
  public Object quickwaterWriteLongs() {
    return AccessLoops.writeLongs(ours.clear());
  }

  @Benchmark
  public Object nettyWriteLongs() {
    return AccessLoops.writeLongs(theirs.clear());
  }

  @Benchmark
  public long quickwaterReadLongs() {
    return AccessLoops.readLongs(ours.readerIndex(0));
  }

  @Benchmark
  public long nettyReadLongs() {
    return AccessLoops.readLongs(theirs.readerIndex(0));
  }

  @Benchmark
  public long quickwaterGetBytes() {
    return AccessLoops.getBytes(ours);
  }

  @Benchmark
  public long nettyGetBytes() {
    return AccessLoops.getBytes(theirs);
  }

  @Benchmark
  public long quickwaterGetLongs() {
    return AccessLoops.getLongs(ours);
  }

  @Benchmark
  public long nettyGetLongs() {
    return AccessLoops.getLongs(theirs);
  }

  @Benchmark
  public long quickwaterRandomLongs() {
    return AccessLoops.randomLongs(ours);
  }

  @Benchmark
  public long nettyRandomLongs() {
    return AccessLoops.randomLongs(theirs);
  }
}
