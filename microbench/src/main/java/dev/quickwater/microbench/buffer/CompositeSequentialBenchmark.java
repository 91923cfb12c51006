package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to read 4 KiB in order that lie in sixteen buffers, by bytes and by longs?
///
/// The parts are 251 bytes long, a prime number, so that longs lie across every border.
public class CompositeSequentialBenchmark extends PairedBenchmark {

  static final int PARTS = 16;
  static final int PART = 251;
  static final int SIZE = PARTS * PART;

  private final LoopAllocator allocator = new LoopAllocator();
  private final CompositeByteBuf ours;
  private final io.netty.buffer.CompositeByteBuf theirs = netty();

  public CompositeSequentialBenchmark() {
    allocator.attach();
    ours = quickwater(allocator);
  }

  static CompositeByteBuf quickwater(LoopAllocator allocator) {
    ByteBuf[] parts = new ByteBuf[PARTS];
    for (int i = 0; i < PARTS; i++) {
      parts[i] = allocator.allocate(PART).writeBytes(new byte[PART]);
    }
    return CompositeByteBuf.of(parts);
  }

  static io.netty.buffer.CompositeByteBuf netty() {
    io.netty.buffer.CompositeByteBuf composite =
        ByteBufAllocator.DEFAULT.compositeDirectBuffer(PARTS);
    for (int i = 0; i < PARTS; i++) {
      composite.addComponent(
          true, ByteBufAllocator.DEFAULT.directBuffer(PART).writeBytes(new byte[PART]));
    }
    return composite;
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  @Benchmark
  public long quickwaterBytes() {
    ours.readerIndex(0);
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += ours.readByte();
    }
    return sum;
  }

  @Benchmark
  public long nettyBytes() {
    theirs.readerIndex(0);
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += theirs.readByte();
    }
    return sum;
  }

  @Benchmark
  public long quickwaterLongs() {
    ours.readerIndex(0);
    long sum = 0;
    for (int i = 0; i < SIZE / Long.BYTES; i++) {
      sum += ours.readLong();
    }
    return sum;
  }

  @Benchmark
  public long nettyLongs() {
    theirs.readerIndex(0);
    long sum = 0;
    for (int i = 0; i < SIZE / Long.BYTES; i++) {
      sum += theirs.readLong();
    }
    return sum;
  }
}
