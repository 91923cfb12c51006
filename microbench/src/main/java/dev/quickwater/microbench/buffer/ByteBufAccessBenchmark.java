package dev.quickwater.microbench.buffer;

import static dev.quickwater.microbench.buffer.AccessLoops.SIZE;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to write and to read 256 bytes of native memory?
///
/// `Read` and `Write` move an index, `Get` receives one, and `Random` reads longs at random places
/// that are chosen in advance, where a check can neither be hoisted nor merged with its neighbour.
///
/// In a server the same call site meets buffers of every kind. With `polluted` each invocation
/// takes the next of four kinds, so that the compiler never relies on one: native and heap memory,
/// a slice, and a composite (Netty) or an unpooled array (Quickwater). Meeting four kinds only
/// during warm-up proves nothing: one kind soon makes up nine tenths of the profile, and the
/// compiler relies on it again. Without `polluted` the four are one buffer.
public class ByteBufAccessBenchmark extends PairedBenchmark {

  private static final int KINDS = 4;
  private static final io.netty.buffer.ByteBufAllocator NETTY =
      io.netty.buffer.ByteBufAllocator.DEFAULT;

  @Param({"false", "true"})
  public boolean polluted;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs;
  private final ByteBuf[] ourKinds = new ByteBuf[KINDS];
  private final io.netty.buffer.ByteBuf[] theirKinds = new io.netty.buffer.ByteBuf[KINDS];
  private int turn;

  public ByteBufAccessBenchmark() {
    allocator.attach();
    ours = Untracked.allocate(allocator, SIZE);
    theirs = Untracked.netty(NETTY::directBuffer, SIZE);
  }

  /// On arrays.
  ByteBufAccessBenchmark(byte[] array) {
    allocator.attach();
    ours = ByteBuf.wrap(array);
    theirs = Untracked.netty(NETTY::heapBuffer, array.length);
  }

  @Setup
  public void choose() {
    Arrays.fill(ourKinds, ours);
    Arrays.fill(theirKinds, theirs);
    if (polluted) {
      ourKinds[1] = ByteBuf.wrap(new byte[SIZE]);
      ourKinds[2] = part();
      ourKinds[3] = ByteBufAllocator.unpooled().allocate(SIZE).writeBytes(new byte[SIZE]);
      theirKinds[1] = Untracked.netty(NETTY::heapBuffer, SIZE);
      theirKinds[2] = theirs.slice(0, SIZE);
      theirKinds[3] = Unpooled.wrappedBuffer(new byte[SIZE / 2], new byte[SIZE / 2]);
    }
  }

  /// A handle on a part of a block. A slice is not suitable: its bytes are read-only while its
  /// source is live.
  private ByteBuf part() {
    ByteBuf whole = allocator.allocate(SIZE).writerIndex(SIZE);
    ByteBuf part = whole.split();
    whole.release();
    return part;
  }

  private ByteBuf ours() {
    turn = turn + 1 & KINDS - 1;
    return ourKinds[turn];
  }

  private io.netty.buffer.ByteBuf theirs() {
    turn = turn + 1 & KINDS - 1;
    return theirKinds[turn];
  }

  @TearDown
  public void release() {
    if (polluted) {
      ourKinds[2].release();
      ourKinds[3].release();
      theirKinds[1].release();
    }
    ours.release();
    theirs.release();
    allocator.detach();
  }

  @Benchmark
  public Object quickwaterWriteBytes() {
    return AccessLoops.writeBytes(ours().clear());
  }

  @Benchmark
  public Object nettyWriteBytes() {
    return AccessLoops.writeBytes(theirs().clear());
  }

  @Benchmark
  public long quickwaterReadBytes() {
    return AccessLoops.readBytes(ours().readerIndex(0));
  }

  @Benchmark
  public long nettyReadBytes() {
    return AccessLoops.readBytes(theirs().readerIndex(0));
  }

  @Benchmark
  public Object quickwaterWriteInts() {
    return AccessLoops.writeInts(ours().clear());
  }

  @Benchmark
  public Object nettyWriteInts() {
    return AccessLoops.writeInts(theirs().clear());
  }

  @Benchmark
  public long quickwaterReadInts() {
    return AccessLoops.readInts(ours().readerIndex(0));
  }

  @Benchmark
  public long nettyReadInts() {
    return AccessLoops.readInts(theirs().readerIndex(0));
  }

  @Benchmark
  public Object quickwaterWriteLongs() {
    return AccessLoops.writeLongs(ours().clear());
  }

  @Benchmark
  public Object nettyWriteLongs() {
    return AccessLoops.writeLongs(theirs().clear());
  }

  @Benchmark
  public long quickwaterReadLongs() {
    return AccessLoops.readLongs(ours().readerIndex(0));
  }

  @Benchmark
  public long nettyReadLongs() {
    return AccessLoops.readLongs(theirs().readerIndex(0));
  }

  @Benchmark
  public long quickwaterGetBytes() {
    return AccessLoops.getBytes(ours());
  }

  @Benchmark
  public long nettyGetBytes() {
    return AccessLoops.getBytes(theirs());
  }

  @Benchmark
  public long quickwaterGetLongs() {
    return AccessLoops.getLongs(ours());
  }

  @Benchmark
  public long nettyGetLongs() {
    return AccessLoops.getLongs(theirs());
  }

  @Benchmark
  public long quickwaterRandomLongs() {
    return AccessLoops.randomLongs(ours());
  }

  @Benchmark
  public long nettyRandomLongs() {
    return AccessLoops.randomLongs(theirs());
  }
}
