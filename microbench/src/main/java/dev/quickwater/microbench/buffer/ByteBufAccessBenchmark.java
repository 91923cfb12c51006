package dev.quickwater.microbench.buffer;

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

/// What does it cost to write and to read 256 bytes of native memory, by bytes and by longs?
///
/// In a server the same call site meets buffers of every kind. With `polluted` the loops have seen
/// heap and native buffers, slices and (Netty's) composites before they are measured on a native
/// one, so that the compiler can no longer count on one kind.
public class ByteBufAccessBenchmark extends PairedBenchmark {

  private static final int SIZE = 256;
  private static final int POLLUTION = 20_000;

  @Param({"false", "true"})
  public boolean polluted;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs = ByteBufAllocator.DEFAULT.directBuffer(SIZE);

  public ByteBufAccessBenchmark() {
    allocator.attach();
    ours = allocator.allocate(SIZE).writeBytes(new byte[SIZE]);
    theirs.writeBytes(new byte[SIZE]);
  }

  @Setup
  public void pollute() {
    if (!polluted) {
      return;
    }
    List<ByteBuf> kinds =
        List.of(ByteBuf.wrap(new byte[SIZE]), ours.slice(0, SIZE), ours.share(), ours);
    List<io.netty.buffer.ByteBuf> nettyKinds =
        List.of(
            ByteBufAllocator.DEFAULT.heapBuffer(SIZE).writeBytes(new byte[SIZE]),
            Unpooled.wrappedBuffer(new byte[SIZE]),
            Unpooled.directBuffer(SIZE).writeBytes(new byte[SIZE]),
            theirs.slice(0, SIZE),
            Unpooled.wrappedBuffer(new byte[SIZE / 2], new byte[SIZE / 2]),
            theirs);
    long sum = 0;
    for (int i = 0; i < POLLUTION; i++) {
      ByteBuf kind = kinds.get(i % kinds.size());
      writeBytes(kind.clear());
      sum += readBytes(kind.readerIndex(0));
      writeLongs(kind.clear());
      sum += readLongs(kind.readerIndex(0));
      io.netty.buffer.ByteBuf nettyKind = nettyKinds.get(i % nettyKinds.size());
      writeBytes(nettyKind.clear());
      sum += readBytes(nettyKind.readerIndex(0));
      writeLongs(nettyKind.clear());
      sum += readLongs(nettyKind.readerIndex(0));
    }
    kinds.subList(1, 3).forEach(ByteBuf::release);
    nettyKinds.get(0).release();
    nettyKinds.get(2).release();
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
    return writeBytes(ours.clear());
  }

  @Benchmark
  public Object nettyWriteBytes() {
    return writeBytes(theirs.clear());
  }

  @Benchmark
  public long quickwaterReadBytes() {
    return readBytes(ours.readerIndex(0));
  }

  @Benchmark
  public long nettyReadBytes() {
    return readBytes(theirs.readerIndex(0));
  }

  @Benchmark
  public Object quickwaterWriteLongs() {
    return writeLongs(ours.clear());
  }

  @Benchmark
  public Object nettyWriteLongs() {
    return writeLongs(theirs.clear());
  }

  @Benchmark
  public long quickwaterReadLongs() {
    return readLongs(ours.readerIndex(0));
  }

  @Benchmark
  public long nettyReadLongs() {
    return readLongs(theirs.readerIndex(0));
  }

  private static Object writeBytes(ByteBuf buffer) {
    for (int i = 0; i < SIZE; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  private static Object writeBytes(io.netty.buffer.ByteBuf buffer) {
    for (int i = 0; i < SIZE; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  private static long readBytes(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += buffer.readByte();
    }
    return sum;
  }

  private static long readBytes(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += buffer.readByte();
    }
    return sum;
  }

  private static Object writeLongs(ByteBuf buffer) {
    for (int i = 0; i < SIZE / Long.BYTES; i++) {
      buffer.writeLong(i);
    }
    return buffer;
  }

  private static Object writeLongs(io.netty.buffer.ByteBuf buffer) {
    for (int i = 0; i < SIZE / Long.BYTES; i++) {
      buffer.writeLong(i);
    }
    return buffer;
  }

  private static long readLongs(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE / Long.BYTES; i++) {
      sum += buffer.readLong();
    }
    return sum;
  }

  private static long readLongs(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE / Long.BYTES; i++) {
      sum += buffer.readLong();
    }
    return sum;
  }
}
